/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.nio.file.Path;

/**
 * Thrown if a file with code of an arm was replaced during a run. The same command is rejected
 * until the former file is back.
 */
public final class ReplacedFileException extends RunException {
  private static final long serialVersionUID = 1L;

  public ReplacedFileException(Path file) {
    super(file + " was replaced during the run; its turns continue only with the former file");
  }
}
