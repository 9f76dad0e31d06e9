/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import org.junit.jupiter.api.Test;

/** The data kept of an earlier strategy counts together with the strategy in force. */
class KeptOraclesTest {
  private static final String NONE = "strategy: {}";

  private final KeptOracles kept = new KeptOracles(8 << 20);

  private static String sizes(String memory) {
    return "strategy: { oracles: { size: { policy: oracle.size-bloom, memory: %s } } }"
        .formatted(memory);
  }

  private static String popularity(String memory) {
    return ("strategy: { select: select.popularity-aware, oracles: {"
            + " popularity: { policy: oracle.popularity-space-saving, memory: %s } } }")
        .formatted(memory);
  }

  private static Blueprint blueprint(String document) {
    return Blueprint.parse("test", document, Host.node(() -> 0));
  }

  private Strategy switchTo(String document, Strategy inForce) {
    kept.makeRoom(blueprint(document), inForce);
    Strategy next = blueprint(document).build(kept.strategy());
    kept.inForce(next);
    return next;
  }

  @Test
  void aReturnToTheSameOracleForgetsNothing() {
    Strategy first = switchTo(sizes("5MiB"), null);
    assertThat(kept.keptBytes(first)).as("in force").isZero();
    Strategy none = switchTo(NONE, first);
    assertThat(kept.strategy()).isSameAs(first);
    assertThat(kept.keptBytes(none)).isEqualTo(5 << 20);
    Strategy back = switchTo(sizes("5MiB"), none);
    assertThat(back.sizes()).isSameAs(first.sizes());
    assertThat(kept.keptBytes(back)).isZero();
  }

  @Test
  void learnedStrategiesThatDoNotFitAreForgotten() {
    Strategy first = switchTo(sizes("5MiB"), null);
    Strategy fits = switchTo(popularity("3MiB"), first);
    assertThat(kept.keptBytes(fits)).isEqualTo(5 << 20);
    Strategy larger = switchTo(popularity("4MiB"), fits);
    assertThat(kept.strategy()).isNull();
    assertThat(kept.keptBytes(larger)).isZero();
  }

  @Test
  void itIsForgottenBeforeAStrategyThatDoesNotReuseItIsBuilt() {
    Strategy none = switchTo(NONE, switchTo(sizes("5MiB"), null));
    kept.makeRoom(blueprint(sizes("5MiB")), none);
    assertThat(kept.strategy()).as("taken over").isNotNull();
    kept.makeRoom(blueprint(sizes("3MiB")), none);
    assertThat(kept.strategy()).as("together eight").isNotNull();
    kept.makeRoom(blueprint(sizes("4MiB")), none);
    assertThat(kept.strategy()).isNull();
  }

  @Test
  void theStrategyInForceStaysWhateverIsBuilt() {
    Strategy first = switchTo(sizes("5MiB"), null);
    kept.makeRoom(blueprint(sizes("8MiB")), first);
    assertThat(kept.strategy()).isSameAs(first);
  }
}
