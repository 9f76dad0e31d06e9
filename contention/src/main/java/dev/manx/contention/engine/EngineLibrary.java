/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.nio.file.Path;

/**
 * A built engine.
 *
 * @param include the folder of its {@code wiredtiger.h}
 * @param library the folder of its {@code libwiredtiger.so}
 */
public record EngineLibrary(Path include, Path library) {}
