/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.replay;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.SharedOrder;
import dev.manx.policy.record.Answer;
import dev.manx.policy.record.Answer.Ending;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.DispatchDraft;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.PlanDraft;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A node that makes decisions at random times about random requests, and records them. */
final class LogMaker {
  static final int NODES = 9;

  private final long seed;
  private final Strategy strategy;
  private final ClusterState state = new ClusterState(NODES, 256, node -> ~node);
  private final AtomicLong clock = new AtomicLong(1_000_000_000L);
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong messages = new AtomicLong();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final SharedOrder<Read> queue;
  private long lines;

  private static final class Read extends Op {}

  LogMaker(long seed, String document) {
    this(seed, document, 0);
  }

  /**
   * @param limitNanos the longest wait that the node allows its order; 0 if there is none
   */
  LogMaker(long seed, String document, long limitNanos) {
    this.seed = seed;
    strategy = Strategy.parse("node.yaml", document, Host.node(clock::get));
    add(new LogHead(seed, 1, NODES, Map.of("node", "127.0.0.1")).line());
    add(DecisionLog.strategy(1, strategy.document(), limitNanos));
    Order<Read> order = strategy.newOrder();
    if (limitNanos > 0) {
      order.limitWait(limitNanos);
    }
    queue =
        new SharedOrder<>(
            order,
            true,
            (now, queued) ->
                new DispatchDraft(numbers.incrementAndGet(), seed, 1, true, now, queued, this::add),
            fault -> {
              throw new AssertionError(fault);
            });
  }

  synchronized void add(LogLine line) {
    bytes.writeBytes(line.bytes());
    lines++;
  }

  synchronized ByteBuffer log() {
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  synchronized long lines() {
    return lines;
  }

  /** Random events of a node, several times. */
  void live(SplittableRandom random, int steps) {
    Request request = new Request();
    for (int step = 0; step < steps; step++) {
      long now = clock.addAndGet(random.nextLong(3_000_000));
      switch (random.nextInt(6)) {
        case 0, 1 -> plan(request, random, now);
        case 2 -> answer(random, now);
        case 3 -> learn(random, now);
        case 4 -> offer(random, now);
        default -> queue.poll(now);
      }
      if (random.nextInt(20) == 0) {
        strategy.tick(state, NODES, now);
      }
    }
  }

  void plan(Request request, SplittableRandom random, long now) {
    PlanDraft draft = new PlanDraft(numbers.incrementAndGet(), seed);
    request.begin(now, draft.random(), NODES);
    int reads = random.nextInt(10) == 0 ? random.nextInt(60) : random.nextInt(1, 6);
    for (int read = 0; read < reads; read++) {
      ByteBuffer key = ByteBuffer.wrap((random.nextInt(1, 99_999) + "_k").getBytes());
      request.addRead(key, random.nextLong(30) * 0x9E3779B97F4A7C15L, random.nextInt(1, 3));
      int local = random.nextInt(4);
      int[] replicas = random.ints(0, NODES).distinct().limit(random.nextInt(1, 6)).toArray();
      for (int i = 0; i < replicas.length; i++) {
        request.addReplica(replicas[i], i < local ? 0 : 1);
      }
    }
    strategy.planFixed(request, draft.freeze(request, state));
    add(draft.finish(request, 1, true, PlanPaging.NONE));
    for (int read = 0; read < reads; read++) {
      int node = request.replica(read, 0);
      long cost = request.costNanos(read);
      state.tickets().open(messages.incrementAndGet(), node, cost, 1, now, now + 50_000_000);
    }
  }

  private void answer(SplittableRandom random, long now) {
    Ending ending = Ending.values()[random.nextInt(Ending.values().length)];
    int node = random.nextInt(NODES);
    long response = random.nextLong(1, 30_000_000);
    Answer answer = new Answer(ending, node, 1_000_000, response, now, state);
    add(answer.line());
    answer.teach(strategy.selector());
    state.tickets().expire(now, ticket -> {});
  }

  private void learn(SplittableRandom random, long now) {
    for (FactColumn column : FactColumn.values()) {
      state.apply(column, random.nextInt(NODES), random.nextLong(1, 5_000_000), now);
    }
  }

  private void offer(SplittableRandom random, long now) {
    for (int i = random.nextInt(8); i > 0; i--) {
      Read read = new Read();
      read.arrivalNanos = now;
      read.priority = random.nextLong(20_000_000);
      read.slack = random.nextLong(5_000_000);
      read.costNanos = random.nextLong(1, 9_000_000);
      read.requestId = random.nextInt(3);
      read.level = random.nextInt(-1, 3);
      queue.offer(read);
    }
  }
}
