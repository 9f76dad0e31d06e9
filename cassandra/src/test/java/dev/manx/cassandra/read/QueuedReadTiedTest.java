/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.tied.TiedRead;
import dev.manx.cassandra.wire.TieFilter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.ReadResponse;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A read that another replica serves runs its runnable, and ends in the inbound filter. */
@Timeout(60)
class QueuedReadTiedTest {
  private final List<Boolean> let = new ArrayList<>();
  private Engine engine;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private final class Tied extends TiedRead {
    private final boolean starts;
    private boolean queued;

    Tied(boolean starts) {
      super(engine, 0);
      this.starts = starts;
    }

    @Override
    public void queued() {
      queued = true;
    }

    @Override
    public boolean start() {
      return starts;
    }

    @Override
    public long ageNanos() {
      return 17;
    }
  }

  /**
   * A digest that records each question for its kind, which the measure of its size begins with.
   */
  private static final class Digest extends ReadResponse {
    private final Runnable asked;

    Digest(Runnable asked) {
      this.asked = asked;
    }

    @Override
    public boolean isDigestResponse() {
      asked.run();
      return true;
    }

    @Override
    public UnfilteredPartitionIterator makeIterator(ReadCommand command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ByteBuffer digest(ReadCommand command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ByteBuffer repairedDataDigest() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isRepairedDigestConclusive() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean mayIncludeRepairedDigest() {
      throw new UnsupportedOperationException();
    }
  }

  private QueuedRead run(boolean starts) {
    engine = TestEngines.of("strategy: manx", () -> 0);
    TieFilter filter = new TieFilter(() -> engine, engine.ties());
    Message<?> message =
        Message.builder(
                Verb.READ_REQ, (Object) TestSchema.command("SELECT * FROM ks.plain WHERE k = 1"))
            .build();
    // Like Cassandra's runnable, which passes its message to the filters.
    Runnable processes = () -> let.add(filter.test(message));
    QueuedRead read = new QueuedRead(engine, processes, processes);
    Tied tied = new Tied(starts);
    read.tied(tied);
    assertThat(read.ageNanos).isEqualTo(17);
    read.enqueued(0);
    read.waits();
    assertThat(tied.queued).isTrue();
    read.run();
    assertThat(QueuedRead.running()).isNull();
    assertThat(filter.test(message)).as("another read of the same thread").isTrue();
    return read;
  }

  @Test
  void aReadServedElsewhereEndsInTheFilter() {
    assertThat(run(false).isPassedOver()).isTrue();
    assertThat(let).as("its runnable ran").containsExactly(false);
  }

  /** Cassandra drops an expired read in microseconds, which is not what such reads cost. */
  @Test
  void onlyReadsThatAreServedTeachCostsAndEarnCopies() {
    engine = TestEngines.of("strategy: manx", () -> 100);
    LearnedCost cost = new LearnedCost();
    cost.learn(70);
    QueuedRead expired = new QueuedRead(engine, () -> {}, () -> {});
    expired.other(cost, 100);
    expired.enqueued(0);
    expired.run();
    assertThat(expired.isServed()).isFalse();
    assertThat(cost.nanos(1)).isEqualTo(70);
    QueuedRead range = new QueuedRead(engine, () -> {}, () -> {});
    range.other(cost, 101);
    range.enqueued(0);
    range.run();
    assertThat(range.isServed()).isTrue();
    assertThat(cost.nanos(1)).isEqualTo(63);
    QueuedRead unanswered = new QueuedRead(engine, () -> {}, () -> {});
    unanswered.key(1);
    unanswered.enqueued(0);
    unanswered.run();
    assertThat(unanswered.isServed()).isFalse();
  }

  /** While a thread ends a read that another replica serves, the others serve theirs. */
  @Test
  void onlyTheReadOfTheSameThreadEndsInTheFilter() {
    engine = TestEngines.of("strategy: manx", () -> 0);
    Runnable processes =
        () -> {
          let.add(QueuedRead.passesOver());
          let.add(CompletableFuture.supplyAsync(QueuedRead::passesOver).join());
          QueuedRead nested =
              new QueuedRead(engine, () -> {}, () -> let.add(QueuedRead.passesOver()));
          nested.run();
          let.add(QueuedRead.passesOver());
        };
    QueuedRead read = new QueuedRead(engine, processes, processes);
    read.tied(new Tied(false));
    read.run();
    assertThat(let).containsExactly(true, false, false, true);
    assertThat(QueuedRead.passesOver()).isFalse();
  }

  /** Its size is that of its serialized form, which is not free to compute. */
  @Test
  void anAnswerIsMeasuredOnce() {
    engine = TestEngines.of("strategy: manx", () -> 0);
    int[] measured = new int[1];
    QueuedRead read = new QueuedRead(engine, () -> {}, () -> {});
    read.key(1);
    read.learn(new Digest(() -> measured[0]++), 0, 1);
    assertThat(measured[0]).isEqualTo(1);
    assertThat(read.isServed()).isTrue();
  }

  @Test
  void stockServesAReadThatStarts() {
    assertThat(run(true).isPassedOver()).isFalse();
    assertThat(let).containsExactly(true);
    assertThat(engine.load().workAheadNanos()).isZero();
  }
}
