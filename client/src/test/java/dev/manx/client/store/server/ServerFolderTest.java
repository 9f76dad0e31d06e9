/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of servers, without servers. */
class ServerFolderTest {
  /** A process that does not exist: no Linux or macOS gives so large an id. */
  private static final String OF_DEAD_JVM = "manx-cache-999999999-";

  @TempDir private Path parent;

  private static String permissions(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void onlyThisUserCanReadItAndItIsDeletedWithItsContents() throws Exception {
    ServerFolder folder = ServerFolder.create(parent);
    Path settings = folder.write("redis.conf", "requirepass x\n");
    assertThat(permissions(folder.path())).isEqualTo("rwx------");
    assertThat(permissions(settings)).isEqualTo("rw-------");
    assertThat(permissions(folder.output())).isEqualTo("rw-------");
    assertThat(settings).hasContent("requirepass x").hasParentRaw(folder.path());
    Files.createDirectories(folder.path().resolve("appendonlydir/more"));
    folder.delete();
    folder.delete();
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void foldersOfKilledJvmsAreRemovedAndNothingElse() throws Exception {
    Path left = Files.createDirectory(parent.resolve(OF_DEAD_JVM + "17"));
    Files.writeString(left.resolve("dump.rdb"), "values");
    ServerFolder own = ServerFolder.create(parent);
    assertThat(left).doesNotExist();
    Path others = Files.createDirectory(parent.resolve(OF_DEAD_JVM + "mine"));
    Path file = Files.createFile(parent.resolve(OF_DEAD_JVM + "18"));
    Path target = Files.createDirectory(parent.resolve("target"));
    Files.createFile(target.resolve("file"));
    Path link = parent.resolve(OF_DEAD_JVM + "19");
    Files.createSymbolicLink(link, target);
    Path within = Files.createDirectory(parent.resolve(OF_DEAD_JVM + "20"));
    Files.createSymbolicLink(within.resolve("link"), target);
    ServerFolder second = ServerFolder.create(parent);
    assertThat(within).doesNotExist();
    assertThat(parent)
        .isDirectoryNotContaining("glob:**-20")
        .isDirectoryContaining("glob:**" + own.path().getFileName())
        .isDirectoryContaining("glob:**" + second.path().getFileName());
    assertThat(others).exists();
    assertThat(file).exists();
    assertThat(link).exists();
    assertThat(target.resolve("file")).exists();
  }
}
