/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SettingTest {
  private enum Pace {
    SLOW_AT_FIRST,
    STEADY
  }

  private static final Setting WAIT = Setting.duration("wait", "90s", "0", "36h", "before");
  private static final Setting PACE = Setting.choice("pace", Pace.class, "of it");

  @Test
  void boundsAreWrittenInTheLargestUnitThatFits() {
    assertThat(WAIT.range()).isEqualTo("0 to 36h");
    assertThat(Setting.duration("d", "90s", "1min", "90s", "").range()).isEqualTo("1min to 90s");
    assertThat(Setting.size("s", "1KiB", "512B", "3PiB", "").range()).isEqualTo("512B to 3PiB");
    assertThat(Setting.size("s", "1KiB", "0", "2TiB", "").range()).isEqualTo("0B to 2TiB");
  }

  @Test
  void anEnumsConstantsAreItsWords() {
    assertThat(PACE.range()).isEqualTo("slow-at-first, steady");
    Values values = Values.read(List.of(PACE), ConfigNode.parse("test", "pace: steady"));
    assertThat(values.choice("pace", Pace.class)).isEqualTo(Pace.STEADY);
    assertThat(Values.read(List.of(PACE), null).choice("pace", Pace.class))
        .isEqualTo(Pace.SLOW_AT_FIRST);
    assertThat(PACE.withStandard("steady").standard()).isEqualTo("steady");
  }

  @Test
  void aWordThatIsNoConstantIsRefusedWithThoseThatAre() {
    Values values = Values.read(List.of(PACE), null).with("pace", "fast");
    assertThatThrownBy(() -> values.choice("pace", Pace.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pace = fast is invalid; allowed: slow-at-first, steady");
  }

  @Test
  void valuesFromCodeAreHeldToTheSameRange() {
    assertThatCode(() -> WAIT.check(0L)).doesNotThrowAnyException();
    assertThatThrownBy(() -> WAIT.check(-1L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("wait = -1ns is invalid; allowed: 0 to 36h");
    assertThatThrownBy(() -> Setting.share("part", 0, 0, 1, "").check(Double.NaN))
        .hasMessageContaining("0 to 1");
  }

  @Test
  void anUnknownKeyIsRefusedWithTheValidKeys() {
    ConfigNode node = ConfigNode.parse("test.yaml", "wait: 1s\nwiat: 2s");
    Values.read(List.of(WAIT, PACE), node);
    assertThatThrownBy(node::noOtherKeys)
        .isInstanceOf(ConfigException.class)
        .hasMessage("test.yaml:2: wiat: unknown key; valid keys: wait, pace");
  }

  @Test
  void aValueThatIsValidElsewhereIsRefusedWithTheReason() {
    ConfigNode node = ConfigNode.parse("test.yaml", "wait: 1s");
    assertThat(node.at("wait").refuseBecause("pace is steady"))
        .hasMessage("test.yaml:1: wait = '1s' is invalid: pace is steady");
  }

  @Test
  void aGuideShowsNameDefaultRangeAndMeaning() {
    assertThat(SettingTable.markdown(List.of(WAIT)))
        .endsWith("|---|---|---|---|\n| `wait` | 90s | 0 to 36h | before |\n");
  }
}
