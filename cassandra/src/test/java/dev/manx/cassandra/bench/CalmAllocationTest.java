/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.manx.cassandra.control.Counter;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A request left to stock allocates hardly anything in Manx's hooks. Bytes are counted and need no
 * quiet machine; {@link HookCosts} measures their time.
 */
class CalmAllocationTest {
  private static final int TIMES = 20_000;

  private static CalmPath path;

  private enum Hook {
    REQUEST(CalmPath::request, CalmPath::requestWithoutManx),
    PAGED_REQUEST(CalmPath::pagedRequest, CalmPath::pagedRequestWithoutManx),
    PAGED_WRITTEN_LIST(CalmPath::pagedList, CalmPath::pagedListWithoutManx),
    OUTGOING_READ(CalmPath::outgoingRead, any -> {}),
    OUTGOING_ANSWER(CalmPath::outgoingAnswer, any -> {}),
    INCOMING_ANSWER(CalmPath::incomingAnswer, any -> {}),
    INCOMING_ANSWER_TIED(CalmPath::incomingAnswerTied, any -> {}),
    REPLICAS(CalmPath::replicasInStocksOrder, CalmPath::replicasWithoutManx),
    TIMED_KEY(CalmPath::timedKey, CalmPath::timedKeyWithoutManx),
    LOCAL_READ(CalmPath::localRead, CalmPath::localReadWithoutManx);

    private final Consumer<CalmPath> with;
    private final Consumer<CalmPath> without;

    Hook(Consumer<CalmPath> with, Consumer<CalmPath> without) {
      this.with = with;
      this.without = without;
    }
  }

  @BeforeAll
  static void setUp() {
    path = new CalmPath();
  }

  @AfterAll
  static void close() {
    path.close();
  }

  @ParameterizedTest
  @EnumSource
  void allocatesHardlyAnything(Hook hook) {
    double with = bytes(hook.with);
    double without = bytes(hook.without);
    // No hook allocates an object each time: the smallest has 16 bytes. One request in 128 is drawn
    // for a plan, which needs a list of its keys, some 3 KB; the compiler's savings depend on the
    // other code that this JVM has run. Without sampling it would be 3 KB each time. A paged
    // request needs a wrapper and options without a page size, and is counted as in flight.
    double most =
        switch (hook) {
          case REQUEST -> 70;
          case PAGED_REQUEST, PAGED_WRITTEN_LIST -> 300;
          default -> 12;
        };
    System.out.printf("bytes of %s: %.1f%n", hook, with - without);
    assertThat(with - without).as("bytes of %s", hook).isLessThanOrEqualTo(most);
  }

  @Test
  void requestsAreLeftToStock() {
    long calm = path.count(Counter.REQUESTS_CALM);
    long planned = path.count(Counter.REQUESTS_PLANNED);
    for (int i = 0; i < 640; i++) {
      path.request();
    }
    assertThat(path.count(Counter.REQUESTS_CALM) - calm).isEqualTo(640);
    assertThat(path.count(Counter.REQUESTS_PLANNED)).isEqualTo(planned);
    assertThat(path.count(Counter.REQUESTS_NOT_PLANNED)).as("tracked").isPositive();
    assertThat(path.count(Counter.FAULTS)).isZero();
  }

  @Test
  void pagedRequestsAreUnpagedWithoutAPlan() {
    long planned = path.count(Counter.REQUESTS_PLANNED);
    long unpaged = path.count(Counter.MULTIGETS_UNPAGED);
    for (int i = 0; i < 640; i++) {
      path.pagedRequest();
    }
    assertThat(path.count(Counter.MULTIGETS_UNPAGED) - unpaged).isEqualTo(640);
    assertThat(path.count(Counter.REQUESTS_PLANNED)).isEqualTo(planned);
    assertThat(path.count(Counter.FAULTS)).isZero();
  }

  private static double bytes(Consumer<CalmPath> hook) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < TIMES; i++) {
      hook.accept(path);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < TIMES; i++) {
      hook.accept(path);
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / (double) TIMES;
  }
}
