/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SectionTest {
  private static final Quantity LOAD =
      new Quantity(
          List.of(
              Setting.rate("rate", 1, 1, 1_000, "of requests"),
              Setting.share("share", 1, 0.01, 2, "of the capacity")),
          "a rate or a share");

  private static final Forms SHAPE =
      Forms.byKind(
          Setting.word("kind", "what it is", "dot", "box"),
          Map.of(
              "dot",
              Section.of(Key.of(Setting.whole("size", 1, 1, 9, "of it"))),
              "box",
              Section.of(Key.required(Setting.number("width", 1, 0, 100, "of it")))));

  private static final Section SECTION =
      Section.of(
          Key.required(Setting.whole("keys", 1, 1, 100, "how many")),
          Key.of(Setting.duration("wait", "5ms", "0", "1s", "how long")),
          Key.of(Setting.size("value", "1KiB", "1B", "1MiB", "how large")),
          Key.of(Setting.flag("fast", false, "whether it is fast")).quiet(),
          Key.optional(Setting.share("part", 1, 0, 1, "how much")),
          Key.of("shape", SHAPE, null, "how it looks"),
          Key.optional("loads", new Items(LOAD), "how much is asked"),
          Key.optional(
              "by-name",
              new Named(
                  "[a-z]+", "small letters", new Scalar(Setting.flag("on", true, "on or off"))),
              "some"));

  private static Part read(String yaml) {
    return SECTION.read(ConfigNode.parse("a.yaml", yaml));
  }

  @Test
  void defaultsAreInPlaceAndOptionalKeysAreNot() {
    Part part = read("keys: 3");
    assertThat(part.whole("keys")).isEqualTo(3);
    assertThat(part.number("wait")).isEqualTo(5_000_000);
    assertThat(part.flag("fast")).isFalse();
    assertThat(part.has("part")).isFalse();
    assertThat(part.written())
        .isEqualTo(Map.of("keys", 3L, "wait", "5ms", "value", "1024B"))
        .containsExactlyEntriesOf(YamlText.ordered("keys", 3L, "wait", "5ms", "value", "1024B"));
  }

  @Test
  void theWrittenMappingReadsAsTheSame() {
    String yaml =
        "{ keys: 1_0, part: 5%, fast: true, shape: { kind: box, width: 2 }, loads: [5/s, 70%],"
            + " by-name: { b: false, a: true } }";
    Map<String, Object> written = read(yaml).written();
    assertThat(written.get("shape")).isEqualTo(Map.of("kind", "box", "width", 2.0));
    assertThat(written.get("loads")).isEqualTo(List.of("5/s", "70%"));
    assertThat(written.get("by-name")).hasToString("{b=false, a=true}");
    assertThat(read(YamlText.of(written)).written()).isEqualTo(written);
  }

  /** Rates and shares have no exponent in YAML. */
  @ParameterizedTest
  @CsvSource({"0.05%, 12M/s, 0.00001", "0.0001%, 0.0005/s, 12345678", "33.3%, 5/s, 2"})
  void smallAndLargeNumbersAreReadAsTheyWereWritten(String share, String rate, String number) {
    Section section =
        Section.of(
            Key.required(Setting.share("share", 1, 0, 1, "of it")),
            Key.required(Setting.rate("rate", 1, 1e-4, 1e8, "of it")),
            Key.required(Setting.number("number", 1, 0, 1e9, "of it")),
            Key.of(Setting.number("each", 1, 0, 1e9, "of them"), List.of()));
    String yaml =
        "{ share: %s, rate: %s, number: %s, each: [%s] }".formatted(share, rate, number, number);
    Map<String, Object> written = section.read(ConfigNode.parse("a.yaml", yaml)).written();
    String text = YamlText.of(written);
    assertThat(text).doesNotContain("E");
    assertThat(section.read(ConfigNode.parse("b.yaml", text)).written()).isEqualTo(written);
  }

  @Test
  void valuesByNameAreWrittenInTheOrderOfTheSection() {
    Map<String, Object> values =
        YamlText.ordered("wait", 7L, "keys", 2, "shape", Map.of("size", 4));
    assertThat(SECTION.written(values)).hasToString("{keys=2, wait=7ns, shape={size=4}}");
    assertThatThrownBy(() -> SECTION.written(Map.of("kees", 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKindWithADefaultMayBeLeftOut() {
    assertThat(read("{ keys: 1, shape: { size: 2 } }").part("shape").word("kind")).isEqualTo("dot");
  }

  @Test
  void aNarrowerRangeIsNamed() {
    Part part = read("keys: 30");
    assertThat(part.whole("keys", 1, 30)).isEqualTo(30);
    assertThatThrownBy(() -> part.whole("keys", 1, 29))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("allowed: a whole number from 1 to 29");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wait: 5ms                            | keys is missing",
        "{ keys: 0 }                          | keys = '0' is invalid; allowed: a whole number",
        "{ keys: 1, kees: 2 }                 | kees: unknown key; valid keys: keys, wait, value",
        "{ keys: 1, shape: { kind: bow } }    | shape.kind = 'bow' is invalid; allowed: one of dot",
        "{ keys: 1, shape: { kind: box } }    | shape.width is missing",
        "{ keys: 1, shape: { width: 1 } }     | shape.width: unknown key; valid keys: kind, size",
        "{ keys: 1, loads: [5/s, much] }      | loads[1] = 'much' is invalid; allowed: a rate or",
        "{ keys: 1, loads: 2000/s }           | loads = '2000/s' is invalid; allowed: a rate from",
        "{ keys: 1, by-name: { A: true } }    | by-name.A = 'true' is invalid; allowed: small",
        "{ keys: 1, by-name: { a: yes } }     | by-name.a = 'yes' is invalid; allowed: one of true"
      })
  void refusesWithThePlaceInTheFile(String yaml, String said) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("a.yaml:1: ")
        .hasMessageContaining(said);
  }

  @Test
  void aKeyIsDeclaredOnce() {
    Key key = Key.of(Setting.flag("fast", false, "whether it is fast"));
    assertThatThrownBy(() -> Section.of(key, key)).isInstanceOf(IllegalArgumentException.class);
  }
}
