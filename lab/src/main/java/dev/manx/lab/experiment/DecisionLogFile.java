/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A decision log of a node as a file. */
public final class DecisionLogFile {
  /** The requirement on a file, in words; a node ends its log at 1 GiB at the latest. */
  public static final String ALLOWED = "a decision log of a node, smaller than 2GiB";

  private DecisionLogFile() {}

  /**
   * Returns its bytes, whose pages are read on demand; empty if it is not a file or is larger than
   * a decision log may be.
   */
  public static Optional<MappedByteBuffer> map(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      return size > Integer.MAX_VALUE
          ? Optional.empty()
          : Optional.of(channel.map(FileChannel.MapMode.READ_ONLY, 0, size));
    }
  }
}
