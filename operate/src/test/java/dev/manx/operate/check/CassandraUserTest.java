/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.operate.check.CassandraUser.Access;
import dev.manx.operate.check.Finding.Level;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Permissions of users, without the right to change owners. */
class CassandraUserTest {
  @TempDir private Path home;

  private record Name(String getName) implements GroupPrincipal {}

  static PosixFileAttributes folder(String user, String group, String permissions) {
    return (PosixFileAttributes)
        Proxy.newProxyInstance(
            CassandraUserTest.class.getClassLoader(),
            new Class<?>[] {PosixFileAttributes.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "owner" -> (UserPrincipal) new Name(user);
                  case "group" -> new Name(group);
                  case "permissions" -> PosixFilePermissions.fromString(permissions);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @ParameterizedTest
  @CsvSource({
    "root,root,rwxr-xr-x,NO",
    "root,cassandra,rwxrwxr-x,YES",
    "root,cassandra,rwxr-xr-x,NO",
    "cassandra,root,rwx------,YES",
    "cassandra,root,r-x------,NO",
    "root,ops,rwxrwxr-x,BY_GROUP",
    "root,root,rwxrwxrwx,YES"
  })
  void cassandrasUserNeedsAFolderThatItCanWriteTo(
      String user, String group, String permissions, Access access) {
    CassandraUser cassandra =
        new CassandraUser(home, folder("cassandra", "cassandra", "rwxr-x---"));
    assertThat(cassandra.writes(folder(user, group, permissions))).isEqualTo(access);
    CassandraUser root = new CassandraUser(home, folder("root", "root", "rwx------"));
    assertThat(root.writes(folder(user, group, permissions))).isEqualTo(Access.YES);
  }

  /** As a copy by root with umask 077 is not. */
  @ParameterizedTest
  @CsvSource({
    "root,root,rw-------,NO",
    "root,root,rw-r-----,BY_GROUP",
    "cassandra,root,---r-----,NO",
    "root,root,rw-r--r--,YES",
    "root,cassandra,rw-r-----,YES",
    "root,cassandra,rw-------,NO",
    "cassandra,root,rw-------,YES"
  })
  void cassandrasUserNeedsFilesThatItCanRead(
      String user, String group, String permissions, Access access) {
    CassandraUser cassandra =
        new CassandraUser(home, folder("cassandra", "cassandra", "rwxr-x---"));
    assertThat(cassandra.reads(folder(user, group, permissions))).isEqualTo(access);
    CassandraUser root = new CassandraUser(home, folder("root", "root", "rwx------"));
    assertThat(root.reads(folder(user, group, permissions))).isEqualTo(Access.YES);
  }

  /** A user's groups are not known here, nor the lists of permissions that a group's bit limits. */
  @Test
  void aFileThatAGroupMayReadIsNoError() throws Exception {
    CassandraUser cassandra =
        new CassandraUser(home, folder("cassandra", "cassandra", "rwxr-x---"));
    Path file = Files.createFile(home.resolve("manx.yaml"));
    String group = CassandraUser.attributes(file).orElseThrow().group().getName();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Findings byGroup = new Findings();
    cassandra.mustRead(file, "Manx would be off", byGroup);
    assertThat(byGroup.all()).extracting(Finding::level).containsExactly(Level.WARNING);
    assertThat(byGroup.text())
        .contains("(rw-r-----)", "unless cassandra is in group " + group + ": Manx would be off");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Findings byNone = new Findings();
    cassandra.mustRead(file, "Manx would be off", byNone);
    assertThat(byNone.all()).extracting(Finding::level).containsExactly(Level.ERROR);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Findings byAll = new Findings();
    cassandra.mustRead(file, "Manx would be off", byAll);
    assertThat(byAll.all()).isEmpty();
  }

  private Optional<Path> data(String yaml) throws Exception {
    Files.createDirectories(home.resolve("conf"));
    Files.writeString(home.resolve("conf/cassandra.yaml"), yaml);
    return CassandraUser.data(
        new CassandraHome(home, home.resolve("conf"), Optional.empty(), Optional.empty(), ""));
  }

  @Test
  void theDataFolderIsTheOneThatCassandraYamlNames() throws Exception {
    Path named = Files.createDirectories(home.resolve("var/data"));
    assertThat(data("data_file_directories:\n    - " + named + "\n    - /other\n")).hasValue(named);
    assertThat(data("data_file_directories: [ '" + named + "' ]\n")).hasValue(named);
    assertThat(data("data_file_directories:\n- " + named + "/later\n")).hasValue(named);
    assertThat(data("# data_file_directories:\n#     - " + named + "\n")).isEmpty();
    Path own = Files.createDirectories(home.resolve("data/data"));
    assertThat(data("")).hasValue(own);
  }
}
