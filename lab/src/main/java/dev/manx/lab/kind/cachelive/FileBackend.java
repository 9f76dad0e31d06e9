/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** One file per key; the operating system's page cache belongs to the backend. */
final class FileBackend extends BlockingBackend {
  private static final int PER_FOLDER = 1_000;

  private final Path folder;

  FileBackend(BackendPlan plan, Path parent) throws IOException {
    super(plan);
    folder = parent.resolve(plan.name());
    for (int key = 0; key < plan.keys(); key++) {
      Path file = file(key);
      if (key % PER_FOLDER == 0) {
        Files.createDirectories(file.getParent());
      }
      Files.write(file, value(key));
    }
  }

  private Path file(int key) {
    return folder.resolve(Integer.toString(key / PER_FOLDER)).resolve(Integer.toString(key));
  }

  @Override
  Read read() {
    return keys -> {
      Map<Integer, byte[]> found = new HashMap<>();
      for (int key : keys) {
        found.put(key, Files.readAllBytes(file(key)));
      }
      return found;
    };
  }

  @Override
  public String describe() {
    return "files, " + plan().threads() + " threads";
  }

  @Override
  public void close() {}
}
