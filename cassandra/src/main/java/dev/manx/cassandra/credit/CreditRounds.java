/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.message.MessageKind;
import dev.manx.cassandra.message.NodeMessages;
import dev.manx.policy.fanout.Credits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.IntSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Sends demands, congestion and credits of {@code fanout.brb-credits} between the nodes of a
 * datacenter, and runs the controller on one of them ({@link Election}). Without a controller,
 * {@link Credits#suspend} opens every node, at most 0.9 s after the last message of a controller.
 *
 * <p>The timer calls {@link #tick}, which does all the work; messages are received on any thread
 * and wait for it.
 */
public final class CreditRounds {
  /** Most messages that wait for the timer. */
  public static final int MOST_LETTERS = 512;

  /** After this many intervals without a new grant, the last one no longer holds. */
  static final int MOST_INTERVALS = 3;

  // A timer without a tick for this long was off meanwhile.
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NONE = Long.MIN_VALUE;

  /** A message of another node; one of the two is null. */
  private record Letter(
      InetAddressAndPort from, long atNanos, CreditReport report, CreditGrant grant) {}

  private final NodeMessages messages;
  private final BiPredicate<Engine, InetAddressAndPort> isNear;
  private final IntSupplier readThreads;
  private final BlockingQueue<Letter> letters = new ArrayBlockingQueue<>(MOST_LETTERS);
  private volatile Credits current;
  private volatile InetAddressAndPort leader;

  // Used by the timer only.
  private Election election;
  private CreditOffice office;
  private ArrivalMeter meter;
  private long capacity;
  private boolean congested;
  private boolean granted;
  private long tickedNanos;
  private long grantedNanos;
  // The controller's interval may differ from this node's; it is the shorter of the last two times
  // between grants, since a single time may contain a missing grant.
  private long grantSpanNanos;
  private long grantGapNanos;
  private long beatNanos;
  private long reportNanos;
  // Whether the controller has no report of this node yet.
  private boolean first;
  private long demandNanos;
  private long adaptNanos;

  /**
   * Starts receiving messages.
   *
   * @param isNear whether a node is in this node's datacenter
   * @param readThreads number of reads that this node serves concurrently
   */
  public CreditRounds(
      NodeMessages messages,
      BiPredicate<Engine, InetAddressAndPort> isNear,
      IntSupplier readThreads) {
    this.messages = messages;
    this.isNear = isNear;
    this.readThreads = readThreads;
    messages.handle(
        MessageKind.CREDIT_REPORT,
        (engine, from, node, bytes) -> {
          CreditReport report = CreditReport.decode(bytes);
          return report != null && keep(engine, from, report, null);
        });
    messages.handle(
        MessageKind.CREDIT_GRANT,
        (engine, from, node, bytes) -> {
          CreditGrant grant = CreditGrant.decode(bytes);
          return grant != null && keep(engine, from, null, grant);
        });
  }

  private boolean keep(
      Engine engine, InetAddressAndPort from, CreditReport report, CreditGrant grant) {
    return current != null
        && isNear.test(engine, from)
        && letters.offer(new Letter(from, engine.clock().nanoTime(), report, grant));
  }

  /** The node that runs the controller, as far as this node knows; null for none. */
  public InetAddressAndPort leader() {
    return current == null ? null : leader;
  }

  /** Messages that wait for the timer. */
  public int waiting() {
    return letters.size();
  }

  /** Does the work that is due. */
  public void tick(Engine engine, long nowNanos) {
    Credits credits = engine.acting() ? engine.strategy().planner().credits() : null;
    if (credits != current || credits != null && nowNanos - tickedNanos > PAUSE_NANOS) {
      begin(engine, credits, nowNanos);
    }
    tickedNanos = nowNanos;
    if (credits == null) {
      return;
    }
    measure(engine, credits, nowNanos);
    List<InetAddressAndPort> others = others(engine, nowNanos);
    CreditGrant latest = latestGrant();
    follow(engine, others, nowNanos);
    if (election.isSelf()) {
      open(credits, nowNanos);
      // First, so that the next grants use this node's latest demand and not the demand of an
      // interval ago.
      report(engine, credits, nowNanos);
      CreditGrant own = lead(engine, credits, others, nowNanos);
      latest = own == null ? latest : own;
    }
    apply(engine, credits, latest, nowNanos);
    report(engine, credits, nowNanos);
  }

  private void begin(Engine engine, Credits credits, long nowNanos) {
    letters.clear();
    current = credits;
    leader = null;
    office = null;
    meter = null;
    capacity = 0;
    congested = false;
    granted = false;
    grantedNanos = NONE;
    if (credits != null) {
      credits.suspend();
      election = new Election(messages.self(), nowNanos);
      // Demand from a time in which this node did not take part, as in shadow mode.
      credits.takeDemand(new long[engine.nodes().used()]);
      demandNanos = nowNanos;
    }
  }

  private void measure(Engine engine, Credits credits, long nowNanos) {
    long now = Math.max(1, readThreads.getAsInt()) * TimeUnit.SECONDS.toNanos(1);
    if (now != capacity) {
      capacity = now;
      meter =
          new ArrivalMeter(
              credits.intervalNanos(),
              now,
              engine.load().completedReads(),
              engine.load().workAheadNanos());
    }
    congested |=
        meter.look(
            engine.load().completedReads(),
            engine.load().serviceNanos(),
            engine.load().workAheadNanos(),
            nowNanos);
  }

  /** The nodes of this datacenter that act and are alive. */
  private List<InetAddressAndPort> others(Engine engine, long nowNanos) {
    List<InetAddressAndPort> others = new ArrayList<>();
    for (Map.Entry<InetAddressAndPort, Integer> node : engine.nodes().all().entrySet()) {
      if (!node.getKey().equals(messages.self())
          && engine.signs().acts(node.getValue(), nowNanos)
          && messages.isLive(node.getKey())
          && isNear.test(engine, node.getKey())) {
        others.add(node.getKey());
      }
    }
    return others;
  }

  /** Processes all messages; returns the last grant of the controller then followed, or null. */
  private CreditGrant latestGrant() {
    List<Letter> all = new ArrayList<>();
    letters.drainTo(all);
    for (Letter letter : all) {
      if (letter.grant != null) {
        election.heard(letter.from, letter.atNanos);
      } else if (office != null) {
        office.report(letter.from, letter.report, letter.atNanos);
      }
    }
    CreditGrant latest = null;
    for (Letter letter : all) {
      if (letter.grant != null && !letter.grant.isBeat() && letter.from.equals(election.known())) {
        latest = letter.grant;
      }
    }
    return latest;
  }

  private void follow(Engine engine, List<InetAddressAndPort> others, long nowNanos) {
    InetAddressAndPort self = messages.self();
    InetAddressAndPort known = election.known();
    if (known != null && !known.equals(self) && !messages.isLive(known)) {
      election.gone(known, nowNanos);
    }
    int before = (int) others.stream().filter(other -> other.compareTo(self) < 0).count();
    InetAddressAndPort now = election.look(before, nowNanos);
    if (now != null && now.equals(leader)) {
      return;
    }
    if (now != null || leader != null) {
      engine.counters().count(Counter.CREDIT_CONTROLLERS);
    }
    leader = now;
    office = null;
    granted = false;
    grantedNanos = NONE;
    if (now != null) {
      // A new controller gets this node's report at once.
      reportNanos = nowNanos;
      first = true;
    }
  }

  private void open(Credits credits, long nowNanos) {
    if (office == null) {
      office = new CreditOffice(credits);
      adaptNanos = nowNanos + credits.intervalNanos();
      beatNanos = nowNanos;
    }
  }

  /** Does the controller's work; returns its grant to this node, or null if there is no new one. */
  private CreditGrant lead(
      Engine engine, Credits credits, List<InetAddressAndPort> others, long nowNanos) {
    CreditGrant own = null;
    if (nowNanos - adaptNanos >= 0) {
      adaptNanos = nowNanos + credits.intervalNanos();
      office.adapt();
      Map<InetAddressAndPort, CreditGrant> grants = new TreeMap<>(office.grants());
      own = grants.remove(messages.self());
      grants.forEach((to, grant) -> send(engine, to, grant));
    }
    if (nowNanos - beatNanos >= 0) {
      beatNanos = nowNanos + Election.BEAT_NANOS;
      others.forEach(to -> send(engine, to, CreditGrant.BEAT));
    }
    return own;
  }

  private void send(Engine engine, InetAddressAndPort to, CreditGrant grant) {
    if (messages.send(to, MessageKind.CREDIT_GRANT, grant.encode()) && !grant.isBeat()) {
      engine.counters().count(Counter.CREDIT_GRANTS_SENT);
    }
  }

  private void apply(Engine engine, Credits credits, CreditGrant latest, long nowNanos) {
    if (latest != null) {
      double[] rates = new double[engine.nodes().used()];
      Arrays.fill(rates, Credits.UNBOUNDED);
      latest
          .nanosPerSecond()
          .forEach(
              (node, rate) -> {
                int id = engine.nodes().find(node);
                if (id >= 0 && id < rates.length) {
                  rates[id] = rate;
                }
              });
      credits.grant(rates, nowNanos);
      engine.counters().count(Counter.CREDIT_GRANTS_RECEIVED);
      long gap = grantedNanos == NONE ? 0 : nowNanos - grantedNanos;
      grantSpanNanos = Math.min(gap, grantGapNanos);
      grantGapNanos = gap;
      granted = true;
      grantedNanos = nowNanos;
    }
    long interval = Math.max(credits.intervalNanos(), grantSpanNanos);
    long most = MOST_INTERVALS * interval + Election.EXPIRY_NANOS;
    if (!granted || nowNanos - grantedNanos > most) {
      granted = false;
      credits.suspend();
    }
    if (engine.gate() != null) {
      // A grant or a suspension may release reads.
      engine.gate().look();
    }
  }

  private void report(Engine engine, Credits credits, long nowNanos) {
    if (leader == null || nowNanos - reportNanos < 0) {
      return;
    }
    reportNanos = nowNanos + credits.intervalNanos();
    long[] demand = demand(engine, credits, nowNanos);
    Map<InetAddressAndPort, Long> work = new TreeMap<>();
    engine
        .nodes()
        .all()
        .forEach(
            (address, id) -> {
              if (id < demand.length && demand[id] > 0) {
                work.put(address, demand[id]);
              }
            });
    CreditReport report = new CreditReport(capacity, congested, work);
    congested = false;
    if (office != null) {
      office.report(messages.self(), report, nowNanos);
    } else if (messages.send(leader, MessageKind.CREDIT_REPORT, report.encode())) {
      engine.counters().count(Counter.CREDIT_REPORTS_SENT);
    }
  }

  /**
   * The demand since the last call, and that of earlier reads which still wait for credit: their
   * clients wait too and do not send new requests, so a coordinator without credit would not get
   * any. The first demand for a controller covers a time other than an interval; a report does not
   * state its time, so this demand is scaled to an interval.
   */
  private long[] demand(Engine engine, Credits credits, long nowNanos) {
    long[] demand = new long[engine.nodes().used()];
    credits.takeDemand(demand);
    if (first) {
      first = false;
      double interval = Math.max(ArrivalMeter.TICK_NANOS, credits.intervalNanos());
      double intervals = Math.max(ArrivalMeter.TICK_NANOS, nowNanos - demandNanos) / interval;
      Arrays.setAll(demand, node -> Math.round(demand[node] / intervals));
    }
    engine.holds().addWaiting(engine, demandNanos, demand);
    demandNanos = nowNanos;
    return demand;
  }
}
