/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.TestOp;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Plays the examples computed by hand: all requests arrive at 0, one non-preemptive worker per
 * server, no network; a held read reaches its server later by its hold. Plans and orders are the
 * real ones.
 */
final class HandScheduler {
  private final FanoutPlanner planner;
  private final Map<Integer, List<TestOp>> sent = new TreeMap<>();
  private final Map<TestOp, String> owners = new HashMap<>();
  private final Map<String, Long> ends = new TreeMap<>();
  private final Map<String, Long> opEnds = new TreeMap<>();
  private final Supplier<Order<TestOp>> orders;

  HandScheduler(FanoutPlanner planner, Supplier<Order<TestOp>> orders) {
    this.planner = planner;
    this.orders = orders;
  }

  /** One read of an example: its letter, its server and its service time. */
  record Part(String name, int server, long service) {}

  /** A request arrives; each letter of a part is a key with an equal piece of the service. */
  HandScheduler request(String name, Part... parts) {
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 16);
    List<TestOp> ops = new ArrayList<>();
    List<Integer> servers = new ArrayList<>();
    for (Part part : parts) {
      for (char letter : part.name().toCharArray()) {
        long service = part.service() / part.name().length();
        Requests.pinned(request, part.server(), service);
        int read = request.reads() - 1;
        boolean keys = planner.unit() == Request.Unit.KEYS;
        request.forecast(read, service, service, keys ? 1 : service);
        ops.add(new TestOp(String.valueOf(letter), 0, service));
        servers.add(part.server());
      }
    }
    planner.plan(request, PolicyMaker.make("select.stock"), new FakeView(16));
    for (int i = 0; i < ops.size(); i++) {
      TestOp op = ops.get(i);
      op.priority = request.priority(i);
      op.slack = request.slack(i);
      owners.put(op, name);
      op.arrivalNanos = request.sendDelayNanos(i);
      sent.computeIfAbsent(servers.get(i), server -> new ArrayList<>()).add(op);
    }
    return this;
  }

  /** Serves everything and returns when each request ended. */
  Map<String, Long> run() {
    sent.values().forEach(this::serve);
    return ends;
  }

  private void serve(List<TestOp> ops) {
    List<TestOp> coming = new ArrayList<>(ops);
    // Stable: ops that arrive at once keep the order of their requests.
    coming.sort(Comparator.comparingLong(op -> op.arrivalNanos));
    Order<TestOp> queue = orders.get();
    long now = 0;
    while (!coming.isEmpty() || queue.size() > 0) {
      while (!coming.isEmpty() && coming.get(0).arrivalNanos <= now) {
        queue.offer(coming.remove(0));
      }
      TestOp op = queue.poll(now);
      if (op == null) {
        now = coming.get(0).arrivalNanos;
      } else {
        now += op.costNanos;
        opEnds.put(op.name, now);
        ends.merge(owners.get(op), now, Math::max);
      }
    }
  }

  long endOf(String op) {
    return opEnds.get(op);
  }
}
