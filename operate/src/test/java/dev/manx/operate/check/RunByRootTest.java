/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files root may run, by owner and permissions. */
class RunByRootTest {
  private static final Path LIB = Path.of("/opt/cassandra/lib");

  @TempDir private Path folder;

  private static RunByRoot.Remedy remedy(Path jar, String cassandra) {
    return new RunByRoot.Remedy(
        jar, Path.of("/opt/cassandra/conf/manx.yaml"), Optional.ofNullable(cassandra));
  }

  @ParameterizedTest
  @CsvSource({
    "root,root,rwxr-xr-x,false",
    "root,cassandra,rwxr-xr-x,false",
    "root,root,rwxrwxrwx,true"
  })
  void rootRunsWhatOnlyRootCanChange(
      String owner, String group, String permissions, boolean sticky) {
    assertThat(
            RunByRoot.refusal(
                LIB,
                CassandraUserTest.folder(owner, group, permissions),
                sticky,
                remedy(LIB.resolve("manx.jar"), "cassandra")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cassandra|root|r-xr-xr-x|cassandra|belongs to cassandra (r-xr-xr-x)|sudo -u cassandra ",
        "ops|root|rwxr-xr-x|cassandra|belongs to ops|Run this as cassandra: sudo -u cassandra ",
        "ops|root|rwxr-xr-x||belongs to ops|Run this as ops: sudo -u ops ",
        "ops|root|rwxr-xr-x|root|belongs to ops|Run this as ops: sudo -u ops ",
        "root|ops|rwxrwxr-x|cassandra|can be changed by group ops (rwxrwxr-x)|sudo -u cassandra ",
        "root|root|rwxrwxr-x|cassandra|can be changed by group root|sudo -u cassandra ",
        "root|root|rwxr-xrwx|cassandra|can be changed by every user|sudo -u cassandra ",
        "root|ops|rwxrwxr-x|root|can be changed by group ops|chmod go-w /opt/cassandra/lib",
        "root|root|rwxr-xrwx||can be changed by every user|chmod go-w /opt/cassandra/lib",
        // sudo does not take the number of a user for its name.
        "1000|1000|rwxr-xr-x|1000|belongs to 1000 (rwxr-xr-x)|chown root /opt/cassandra/lib",
        "1000|1000|rwxr-xr-x||belongs to 1000|chown root /opt/cassandra/lib",
        "1000|1000|rwxr-xr-x|root|belongs to 1000|chown root /opt/cassandra/lib",
        "1000|1000|rwxr-xr-x|cassandra|belongs to 1000|sudo -u cassandra ",
        "ops|root|rwxr-xr-x|999|belongs to ops|Run this as ops: sudo -u ops ",
        "root|root|rwxr-xrwx|999|can be changed by every user|chmod go-w /opt/cassandra/lib",
      })
  void rootDoesNotRunWhatAnotherUserCanChange(
      String owner, String group, String permissions, String cassandra, String text, String todo) {
    RunByRoot.Refusal refusal =
        RunByRoot.refusal(
                LIB,
                CassandraUserTest.folder(owner, group, permissions),
                false,
                remedy(LIB.resolve("manx.jar"), cassandra))
            .orElseThrow();
    assertThat(refusal.text()).startsWith(LIB + " " + text);
    assertThat(refusal.todo()).contains(todo.strip());
  }

  /** The owner of a file can replace it wherever it is. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aFolderOfAnotherUserIsRefusedEvenIfItIsSticky(boolean sticky) {
    assertThat(
            RunByRoot.refusal(
                LIB,
                CassandraUserTest.folder("cassandra", "cassandra", "rwxrwxrwx"),
                sticky,
                remedy(LIB.resolve("manx.jar"), null)))
        .isPresent();
  }

  /** The user may be unable to read the checkout, as in a home folder of mode 0700. */
  @Test
  void theRemedyWorksWithoutTheCheckout() {
    RunByRoot.Refusal refusal =
        RunByRoot.refusal(
                LIB,
                CassandraUserTest.folder("ops", "root", "rwxr-xr-x"),
                false,
                remedy(LIB.resolve("manx.jar"), null))
            .orElseThrow();
    assertThat(refusal.todo())
        .contains("sudo -u ops ./manx check ... (in a checkout that ops can read)")
        .endsWith(
            "sudo -u ops java -jar /opt/cassandra/lib/manx.jar /opt/cassandra/conf/manx.yaml");
  }

  @Test
  void theNameOfAJarIsOneWordOfTheShell() {
    RunByRoot.Refusal refusal =
        RunByRoot.refusal(
                LIB,
                CassandraUserTest.folder("ops", "root", "rwxr-xr-x"),
                false,
                remedy(LIB.resolve("manx-'$(id)'.jar"), null))
            .orElseThrow();
    assertThat(refusal.todo())
        .contains(" -jar '/opt/cassandra/lib/manx-'\\''$(id)'\\''.jar' /opt/cassandra/conf/");
  }

  private Path jars() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root may give files away");
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Path jar = Files.createFile(lib.resolve("manx.jar"));
    assertThat(RunByRoot.refusal(remedy(jar, "cassandra"))).isEmpty();
    return jar;
  }

  private static void give(Path file) throws IOException {
    Files.setAttribute(file, "unix:uid", 65534);
  }

  /** It was refused because its folder could "not be read". */
  @Test
  void aLinkWithoutATargetIsNoReason() throws Exception {
    Path jar = jars();
    Files.createSymbolicLink(jar.resolveSibling("gone.jar"), folder.resolve("none/gone.jar"));
    Files.createSymbolicLink(jar.resolveSibling("itself.jar"), Path.of("itself.jar"));
    assertThat(RunByRoot.refusal(remedy(jar, "cassandra"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"none/gone.jar", "gone.jar"})
  void aMissingTargetOfALinkThatOthersCanCreateIsRefused(String target) throws Exception {
    Path jar = jars();
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.createSymbolicLink(jar.resolveSibling("gone.jar"), Path.of("../other", target));
    assertThat(RunByRoot.refusal(remedy(jar, "cassandra"))).isEmpty();
    // New files in it, unlike those of root, are not protected.
    Files.setAttribute(other, "unix:mode", 01777);
    assertThat(RunByRoot.refusal(remedy(jar, "cassandra")).orElseThrow().text())
        .contains("other can be changed by every user");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxr-xr-x"));
    give(other);
    assertThat(RunByRoot.refusal(remedy(jar, "cassandra")).orElseThrow().text())
        .contains("other belongs to ");
  }

  /** The second could be replaced by a link to another jar. */
  @Test
  void eachLinkOfAChainIsLookedAt() throws Exception {
    Path jar = jars();
    Path other = Files.createDirectory(folder.resolve("other"));
    Path real = Files.createFile(folder.resolve("real.jar"));
    Path second = Files.createSymbolicLink(other.resolve("second.jar"), real);
    Files.createSymbolicLink(jar.resolveSibling("first.jar"), second);
    assertThat(RunByRoot.refusal(remedy(jar, "cassandra"))).isEmpty();
    give(other);
    assertThat(RunByRoot.refusal(remedy(jar, "cassandra")).orElseThrow().text())
        .startsWith(other + " belongs to ");
  }
}
