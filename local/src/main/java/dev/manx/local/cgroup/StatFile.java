/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** A kernel file with one number per line. */
record StatFile(List<String> lines) {
  static StatFile read(Path file) throws IOException {
    return new StatFile(Files.readAllLines(file));
  }

  /** The number after a key and a space; 0 if the key is missing. */
  long value(String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key + " "))
        .mapToLong(line -> Long.parseLong(line.substring(key.length()).strip()))
        .findFirst()
        .orElse(0);
  }

  /** The number after a name and {@code =}, in the line of a key. */
  OptionalLong field(String key, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(key + " "))
        .flatMap(line -> List.of(line.split(" ", -1)).stream())
        .filter(word -> word.startsWith(name))
        .mapToLong(word -> Long.parseLong(word.substring(name.length())))
        .findFirst();
  }
}
