/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.nio.file.Path;

/** Thrown for a result file that violates the schema; the message names file, line and error. */
public final class SchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SchemaException(Path file, int line, String message) {
    super(file + ":" + line + ": " + message);
  }
}
