/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.strategy.Strategy;
import org.junit.jupiter.api.Test;

class TagsSeenTest {
  @Test
  void tagsCountForTheStrategyTheyCameUnder() {
    Strategy one = Strategy.parse("one", "strategy: {}", () -> 0);
    Strategy other = Strategy.parse("other", "strategy: {}", () -> 0);
    TagsSeen tags = new TagsSeen();
    assertThat(tags.any(one)).isFalse();
    tags.saw(one);
    assertThat(tags.any(one)).isTrue();
    assertThat(tags.any(other)).isFalse();
    tags.saw(other);
    assertThat(tags.any(one)).isFalse();
    assertThat(tags.any(other)).isTrue();
  }
}
