/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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
}
