/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GitRevisionTest {
  @TempDir Path folder;

  @Test
  void aProgramThatHangsIsNotWaitedFor() {
    long begin = System.nanoTime();
    assertThat(GitRevision.said(List.of("sleep", "300"), 1)).isEmpty();
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(30));
  }

  @Test
  void onlyTheOutputOfSuccessCounts() {
    assertThat(GitRevision.said(List.of("sh", "-c", "echo abc-dirty"), 30)).isEqualTo("abc-dirty");
    assertThat(GitRevision.said(List.of("sh", "-c", "echo abc; exit 1"), 30)).isEmpty();
    assertThat(GitRevision.said(List.of("no-such-program-here"), 30)).isEmpty();
    assertThat(GitRevision.of(folder)).as("no working copy").isEmpty();
  }

  private String git(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of("-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of(arguments));
    return GitRevision.said(command, 30);
  }

  private String commit(String file, String text) throws IOException {
    Path written = folder.resolve(file);
    Files.createDirectories(written.getParent());
    Files.writeString(written, text);
    git("add", ".");
    git("commit", "-q", "-m", text);
    return git("rev-parse", "--short", "HEAD");
  }

  @Test
  void commitsThatChangeThePathsAreCounted() throws IOException {
    assumeFalse(GitRevision.said(List.of("git", "--version"), 30).isEmpty(), "needs git");
    List<String> both = List.of("a/src", "b/src");
    assertThat(GitRevision.commitsSince(folder, "abc1234", both)).as("no working copy").isEmpty();
    git("init", "-q");
    final String first = commit("a/src/x", "one");
    commit("a/src/x", "two");
    commit("b/src/x", "three");
    String last = commit("docs/x", "four");
    assertThat(GitRevision.commitsSince(folder, first, both)).hasValue(2);
    assertThat(GitRevision.commitsSince(folder, first, List.of("b/src"))).hasValue(1);
    assertThat(GitRevision.commitsSince(folder, last, both)).hasValue(0);
    assertThat(GitRevision.commitsSince(folder, first, List.of())).isEmpty();
    for (String unknown : List.of("", "0000000", first + "-dirty")) {
      assertThat(GitRevision.commitsSince(folder, unknown, both)).as(unknown).isEmpty();
    }
  }
}
