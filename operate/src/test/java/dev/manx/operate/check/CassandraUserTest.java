/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;

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

  private static PosixFileAttributes folder(String user, String group, String permissions) {
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
    "root,root,rwxr-xr-x,false",
    "root,cassandra,rwxrwxr-x,true",
    "root,cassandra,rwxr-xr-x,false",
    "cassandra,root,rwx------,true",
    "cassandra,root,r-x------,false",
    "root,root,rwxrwxrwx,true"
  })
  void cassandrasUserNeedsAFolderThatItCanWriteTo(
      String user, String group, String permissions, boolean may) {
    CassandraUser cassandra =
        new CassandraUser(home, folder("cassandra", "cassandra", "rwxr-x---"));
    assertThat(cassandra.mayWrite(folder(user, group, permissions))).isEqualTo(may);
    CassandraUser root = new CassandraUser(home, folder("root", "root", "rwx------"));
    assertThat(root.mayWrite(folder(user, group, permissions))).as("root may").isTrue();
  }

  /** As a copy by root with umask 077 is not. */
  @ParameterizedTest
  @CsvSource({
    "root,root,rw-------,false",
    "root,root,rw-r-----,false",
    "root,root,rw-r--r--,true",
    "root,cassandra,rw-r-----,true",
    "root,cassandra,rw-------,false",
    "cassandra,root,rw-------,true"
  })
  void cassandrasUserNeedsFilesThatItCanRead(
      String user, String group, String permissions, boolean may) {
    CassandraUser cassandra =
        new CassandraUser(home, folder("cassandra", "cassandra", "rwxr-x---"));
    assertThat(cassandra.mayRead(folder(user, group, permissions))).isEqualTo(may);
    CassandraUser root = new CassandraUser(home, folder("root", "root", "rwx------"));
    assertThat(root.mayRead(folder(user, group, permissions))).as("root may").isTrue();
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
