/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.proc.ProcThread;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid squeezes and targets. */
@Tag("engines")
class SqueezeTest {
  private static final Squeeze ONE_CORE = new Squeeze(1, 0, "", 0);

  private static Squeeze read(String yaml) {
    return Squeeze.read(ConfigNode.parse("test.yaml", "squeeze: " + yaml).at("squeeze"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{ cores: 2 } | 2 | 0 | \"\" | -20 | 2 cores",
        "{ boost: 4 } | 0 | 4 | \"\" | -20 | nice -20 for the 4 busiest threads",
        "{ cores: 1, threads: 'Read*', nice: 5 } | 1 | 1000000 | Read* | 5 | 1 core, nice 5 for"
            + " threads Read*",
        "{ boost: 2, threads: R } | 0 | 2 | R | -20 | nice -20 for 2 threads R"
      })
  void readsAndSays(String yaml, int cores, int boost, String threads, int nice, String words) {
    Squeeze squeeze = read(yaml);
    assertThat(squeeze).isEqualTo(new Squeeze(cores, boost, threads, nice));
    assertThat(squeeze.words()).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ nice: 3 } | cores, or boost or threads",
        "{ cores: 0 } | from 1 to 4096",
        "{ cores: many } | a whole number",
        "{ boost: -1 } | from 1",
        "{ cores: 1, nice: -21 } | from -20 to 19",
        "{ cores: 1, nice: 19 } | it needs boost or threads"
      })
  void refusesBadValues(String yaml, String allowed) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("test.yaml:1")
        .hasMessageContaining(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "ReadStage*, ReadStage-1, true",
    "ReadStage*, XReadStage-1, false",
    "*, anything, true",
    "a?c, abc, true",
    "a?c, ac, false",
    "a.c, abc, false",
    "'a[b]\\Ec', 'a[b]\\Ec', true"
  })
  void patternsAreThoseOfFileNames(String pattern, String name, boolean matches) {
    assertThat(new Squeeze(0, 1, pattern, 0).matches(name)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | is never squeezed",
        "-5 | is never squeezed",
        "1 | is never squeezed",
        "999999999 | there is no process 999999999"
      })
  void refusesProcessesThatAreNone(long pid, String why) {
    assertThatThrownBy(() -> SqueezedProcess.check(pid, ONE_CORE))
        .isInstanceOf(SqueezeException.class)
        .hasMessageContaining(why);
  }

  @Test
  void refusesItself() {
    assertThatThrownBy(() -> SqueezedProcess.check(ProcessHandle.current().pid(), ONE_CORE))
        .isInstanceOf(SqueezeException.class)
        .hasMessageContaining("this command itself");
  }

  /** The threads with the lowest ids were taken for the busiest. */
  @Test
  void theBusiestAreNotSoughtWithoutTimes() {
    ProcThread silent = new ProcThread(7, "x", 'S', false, 0, 1, "0", 0, 0, 0, 0);
    assertThatThrownBy(() -> SqueezedProcess.checkMeasured(silent, read("{ boost: 4 }")))
        .isInstanceOf(SqueezeException.class)
        .hasMessageContaining("this kernel has no /proc/PID/task/TID/schedstat");
    SqueezedProcess.checkMeasured(silent, read("{ boost: 2, threads: R }"));
    SqueezedProcess.checkMeasured(silent, ONE_CORE);
    ProcThread busy = new ProcThread(7, "x", 'S', false, 0, 1, "0", 9, 0, 0, 0);
    SqueezedProcess.checkMeasured(busy, read("{ boost: 4 }"));
  }

  @ParameterizedTest
  @ValueSource(ints = {4096})
  void refusesMoreCoresThanThereAre(int cores) throws Exception {
    try (Crew crew = new Crew()) {
      assertThatThrownBy(() -> SqueezedProcess.check(crew.pid(), new Squeeze(cores, 0, "", 0)))
          .isInstanceOf(SqueezeException.class)
          .hasMessageContaining("cores, not on 4096");
    }
  }
}
