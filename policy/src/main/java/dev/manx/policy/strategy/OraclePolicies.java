/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.Scales.AT_BOTH;
import static dev.manx.policy.strategy.Scales.AT_COORDINATOR;
import static dev.manx.policy.strategy.Scales.IN_SIMULATOR;
import static dev.manx.policy.strategy.Scales.KIB;
import static dev.manx.policy.strategy.Scales.MIB;
import static dev.manx.policy.strategy.Scales.SECOND;

import dev.manx.policy.oracle.BloomSizeOracle;
import dev.manx.policy.oracle.KeyEncodedSizeOracle;
import dev.manx.policy.oracle.SizeEwmaOracle;
import dev.manx.policy.oracle.SizeFileOracle;
import dev.manx.policy.oracle.SpaceSavingOracle;
import java.util.List;
import java.util.Set;

/** The registry's family {@code oracle}. */
final class OraclePolicies {
  private static final Setting LARGE_ABOVE =
      Setting.size("large-above", 64 * KIB, 1, 1L << 40, "values from this size on are large");
  private static final Setting SMALL_GUESS =
      Setting.size("small-guess", KIB, 0, 1L << 40, "size of a key that nothing is known of");

  private OraclePolicies() {}

  static List<PolicyInfo> all() {
    return List.of(
        new PolicyInfo(
            "oracle.size-bloom",
            "two generations of Bloom filters of keys seen with large values",
            "TailX section 3",
            AT_BOTH,
            List.of(
                LARGE_ABOVE,
                Setting.size("memory", 4 * MIB, KIB, 512 * MIB, "of both filters together"),
                Setting.share(
                    "false-positives", 1e-4, 1e-9, 0.5, "most small keys that pass as large"),
                Setting.duration(
                    "turn-every",
                    6 * 3600 * SECOND,
                    SECOND,
                    1000 * 3600 * SECOND,
                    "a key not seen large for two turns is forgotten")),
            List.of(),
            s ->
                new BloomSizeOracle(
                    s.number("large-above"),
                    s.number("memory"),
                    s.real("false-positives"),
                    s.number("turn-every"))),
        new PolicyInfo(
            "oracle.size-key-encoded",
            "the number before the first _ of the key; for experiments",
            "Hector KeySizeOracle",
            AT_BOTH,
            List.of(LARGE_ABOVE, SMALL_GUESS),
            List.of(),
            s -> new KeyEncodedSizeOracle(s.number("large-above"), s.number("small-guess"))),
        new PolicyInfo(
            "oracle.size-file",
            "sizes from a list of key,size lines",
            "Hector static file oracle",
            IN_SIMULATOR,
            List.of(
                Setting.text("path", "sizes.csv", ".+", "a file name", "of the list"),
                LARGE_ABOVE,
                SMALL_GUESS,
                Setting.whole("max-keys", 1 << 20, 1, 1 << 24, "keys kept, at most 64 bytes each")),
            List.of(),
            Set.of(Ability.FILES),
            s ->
                new SizeFileOracle(
                    s.word("path"),
                    s.number("large-above"),
                    s.number("small-guess"),
                    (int) s.number("max-keys"))),
        new PolicyInfo(
            "oracle.size-ewma",
            "smoothed size of the keys that share a prefix",
            "Manx",
            IN_SIMULATOR,
            List.of(
                LARGE_ABOVE,
                Setting.share("weight", 0.05, 0.001, 1, "weight of the newest size"),
                Setting.whole("prefix-bytes", 16, 1, 1_024, "longest prefix"),
                Setting.whole("prefixes", 4_096, 1, 1 << 24, "places for prefixes, 8 bytes each"),
                SMALL_GUESS),
            List.of(),
            Set.of(Ability.KEYED_LEARNING),
            s ->
                new SizeEwmaOracle(
                    s.number("large-above"),
                    s.real("weight"),
                    (int) s.number("prefix-bytes"),
                    (int) s.number("prefixes"),
                    s.number("small-guess"))),
        new PolicyInfo(
            "oracle.popularity-space-saving",
            "counts of the keys read most, bounded and aging",
            "Space-Saving (ICDT 2005)",
            AT_COORDINATOR,
            List.of(
                Setting.size("memory", 16 * MIB, KIB, 512 * MIB, "of all counters, 12 bytes each"),
                Setting.whole("ways", 16, 1, 256, "counters of a set"),
                Setting.whole(
                    "half-life", 10_000_000, 1, 1L << 40, "reads after which counts are halved")),
            List.of(),
            s ->
                new SpaceSavingOracle(
                    s.number("memory"), (int) s.number("ways"), s.number("half-life"))));
  }
}
