/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files root may run, by owner and permissions. */
class RunByRootTest {
  private static final Path LIB = Path.of("/opt/cassandra/lib");

  @ParameterizedTest
  @CsvSource({
    "root,root,rwxr-xr-x,false",
    "root,cassandra,rwxr-xr-x,false",
    // The group of root has no other members.
    "root,root,rwxrwxr-x,false",
    "root,root,rwxrwxrwx,true"
  })
  void rootRunsWhatOnlyRootCanChange(
      String owner, String group, String permissions, boolean sticky) {
    assertThat(
            RunByRoot.refusal(
                LIB,
                CassandraUserTest.folder(owner, group, permissions),
                sticky,
                Optional.of("cassandra")))
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
        "root|root|rwxr-xrwx|cassandra|can be changed by every user|sudo -u cassandra ",
        "root|ops|rwxrwxr-x|root|can be changed by group ops|chmod go-w /opt/cassandra/lib",
        "root|root|rwxr-xrwx||can be changed by every user|chmod go-w /opt/cassandra/lib",
      })
  void rootDoesNotRunWhatAnotherUserCanChange(
      String owner, String group, String permissions, String cassandra, String text, String todo) {
    RunByRoot.Refusal refusal =
        RunByRoot.refusal(
                LIB,
                CassandraUserTest.folder(owner, group, permissions),
                false,
                Optional.ofNullable(cassandra))
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
                Optional.empty()))
        .isPresent();
  }
}
