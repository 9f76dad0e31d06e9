/* SPDX-License-Identifier: Apache-2.0 */
package example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.strategy.Policies;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReportedQueueSelectorTest {
  @Test
  void fewestReadsFirst() {
    FakeView view = new FakeView(8);
    view.set(FactColumn.PENDING_READS, 1, 9).set(FactColumn.PENDING_READS, 2, 4);
    view.set(FactColumn.PENDING_READS, 3, 0);
    view.reads[3] = 6;
    Request request = Requests.single(new SplittableRandom(1), 1, 2, 3);
    new ReportedQueueSelector(1_000_000_000).rank(request, 0, 0, 3, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(2, 3, 1);
  }

  @Test
  void theRegistryHasIt() {
    assertThat(Policies.find("select.reported-queue")).isPresent();
  }
}
