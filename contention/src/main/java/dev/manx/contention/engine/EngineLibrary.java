/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.nio.file.Path;

/**
 * A built engine.
 *
 * @param include the folder of its {@code wiredtiger.h}
 * @param library the folder of its {@code libwiredtiger.so}
 */
public record EngineLibrary(Path include, Path library) {
  static final String LIBRARY = "libwiredtiger.so";

  /** The library itself; mostly a link to a file with a version in its name. */
  public Path file() {
    return library.resolve(LIBRARY);
  }

  Path header() {
    return include.resolve("wiredtiger.h");
  }
}
