/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.bound.Bound;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.Exchange;
import dev.manx.policy.facts.Facts;
import dev.manx.policy.facts.LargeKeys;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.RoutedOp;
import dev.manx.policy.oracle.Forecast;
import dev.manx.policy.oracle.PopularityOracle;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;
import dev.manx.policy.select.Selector;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The wired set of selector, order, planner, facts and oracles described by one YAML document.
 *
 * <p>Threads: request threads plan, response and read threads report to the oracle and one timer
 * ticks, concurrently; a plan writes only into the caller's {@link Request}. {@link #plan}
 * allocates nothing once the request has grown to its width.
 */
public final class Strategy {
  private static final long TICK_NANOS = 100_000_000;

  private final StrategySpec spec;
  private final Selector selector;
  private final FanoutPlanner planner;
  private final Bound bound;
  private final SizeOracle sizes;
  private final PopularityOracle popularity;
  private final Forecast forecast;
  private final Facts facts;
  private final Exchange exchange;
  private final Traits traits;
  private final boolean blind;
  // Values of the last tick.
  private volatile double sizeFillRatio;
  private volatile long mostSizeBytes;

  Strategy(StrategySpec spec) {
    this(
        spec,
        spec.size().map(choice -> choice.<SizeOracle>make()).orElse(null),
        spec.popularity().map(choice -> choice.<PopularityOracle>make()).orElse(null),
        Forecast.of(spec.forecast()));
  }

  private Strategy(
      StrategySpec spec, SizeOracle sizes, PopularityOracle popularity, Forecast forecast) {
    this.spec = spec;
    this.sizes = sizes;
    this.popularity = popularity;
    this.forecast = forecast;
    this.bound = spec.bound().map(choice -> choice.<Bound>make()).orElse(null);
    this.selector = spec.select().with(popularity).make();
    this.planner = bound == null ? spec.fanout().make() : bound.planner();
    this.facts = new Facts(spec.facts());
    this.exchange =
        spec.exchange()
            .map(
                settings ->
                    Exchange.of(
                        settings, spec.facts(), sizes instanceof LargeKeys keys ? keys : null))
            .orElse(null);
    this.blind = spec.plansBlindly();
    this.traits = Traits.of(selector, planner, sizes, popularity);
    this.sizeFillRatio = sizes == null ? 0 : sizes.fillRatio();
    this.mostSizeBytes = sizes == null ? Long.MAX_VALUE : sizes.mostBytes();
  }

  /**
   * Reads a document whose only key is {@code strategy}: the name of a preset, or a mapping in
   * which every part is optional and defaults to stock. For a node: a policy that cannot act there
   * is refused.
   *
   * @param file the document's name in errors
   * @throws ConfigException for an unknown key, a bad value or parts that contradict each other
   */
  public static Strategy parse(String file, String yamlText, NanoClock clock) {
    return parse(file, yamlText, Host.node(clock));
  }

  /** Reads a document with the only key {@code strategy} for a host. */
  public static Strategy parse(String file, String yamlText, Host host) {
    ConfigNode top = ConfigNode.parse(file, yamlText);
    Strategy strategy = of(top.at("strategy"), host);
    top.noOtherKeys();
    return strategy;
  }

  /**
   * Reads a node's strategy inside another document: the mapping under its key, or the name of one
   * of the {@link Presets}.
   */
  public static Strategy of(ConfigNode strategy, NanoClock clock) {
    return of(strategy, Host.node(clock));
  }

  /** Reads a host's strategy inside another document. */
  public static Strategy of(ConfigNode strategy, Host host) {
    return Blueprint.of(strategy, host).build();
  }

  boolean isLearntAs(StrategySpec other) {
    return other.learnsAs(spec);
  }

  /** The bytes of memory of its parts, according to its document: {@link Blueprint#memoryBytes}. */
  public long memoryBytes() {
    return Blueprint.memoryBytes(spec).values().stream().mapToLong(Long::longValue).sum();
  }

  static Strategy learningOn(StrategySpec spec, Strategy earlier) {
    return spec.learnsAs(earlier.spec)
        ? new Strategy(spec, earlier.sizes, earlier.popularity, earlier.forecast)
        : new Strategy(spec);
  }

  /**
   * Forecasts every read of a filled request, then plans it. Afterwards every read's ranking is a
   * permutation of its replicas, even if the selector fails to return one; {@link Request#mended}
   * counts such reads.
   */
  public void plan(Request request, ClusterView view) {
    forecastAndPlan(request, view);
    verify(request);
  }

  /** As {@link #plan}, for a host where a read's nodes are fixed when its request is planned. */
  public void planFixed(Request request, ClusterView view) {
    forecastAndPlan(request, view);
    planner.fixNodes(request, view);
    verify(request);
  }

  private void forecastAndPlan(Request request, ClusterView view) {
    Unit unit = traits.unit();
    for (int read = 0, reads = request.reads(); read < reads; read++) {
      long bytes = sizeBytes(request.key(read), request.keyHash(read));
      long nanos = forecastNanos(bytes);
      request.forecast(read, bytes, nanos, cost(unit, bytes, nanos));
    }
    planner.plan(request, selector, view);
  }

  private static void verify(Request request) {
    for (int read = 0, reads = request.reads(); read < reads; read++) {
      request.verify(read);
    }
  }

  /**
   * Plans a request whose reads already have their sizes and service times, as {@link #planFixed}
   * does; their costs follow from these.
   */
  public void planForecast(Request request, ClusterView view) {
    Unit unit = traits.unit();
    for (int read = 0, reads = request.reads(); read < reads; read++) {
      long bytes = request.sizeBytes(read);
      long nanos = request.costNanos(read);
      request.forecast(read, bytes, nanos, cost(unit, bytes, nanos));
    }
    planner.plan(request, selector, view);
    planner.fixNodes(request, view);
  }

  /** Forecast size of a key's value, within the oracle's bounds; 0 without an oracle. */
  public long sizeBytes(ByteBuffer key, long keyHash) {
    return sizes == null
        ? 0
        : Math.max(0, Math.min(SizeOracle.MOST_BYTES, sizes.sizeBytes(key, keyHash)));
  }

  /** Forecast service time of a read, never 0. */
  public long forecastNanos(ByteBuffer key, long keyHash) {
    return forecastNanos(sizeBytes(key, keyHash));
  }

  /** Whether the oracle considers the key's value large; false without an oracle. */
  public boolean isLarge(ByteBuffer key, long keyHash) {
    return isLarge(sizeBytes(key, keyHash));
  }

  /** Priority of a read without a tag: its own forecast cost, in {@link #unit}. */
  public long ownPriority(ByteBuffer key, long keyHash) {
    long bytes = sizeBytes(key, keyHash);
    return cost(traits.unit(), bytes, forecastNanos(bytes));
  }

  /** Creates an empty order, for one queue. */
  public <T extends Op> Order<T> newOrder() {
    return spec.order().make();
  }

  /**
   * The gate in which reads wait at their coordinator, or null if only {@code
   * Request.sendDelayNanos} holds reads back. Call once per coordinator.
   */
  public <T extends RoutedOp> Gate<T> newGate() {
    if (planner.gated()) {
      return planner.newGate();
    }
    return selector.gated() ? selector.newGate() : null;
  }

  /** The unrealizable reference that replaces selector, order and planner; null if none. */
  public Bound bound() {
    return bound;
  }

  /** The selector. */
  public Selector selector() {
    return selector;
  }

  /** The fan-out planner. */
  public FanoutPlanner planner() {
    return planner;
  }

  /** The size oracle, or null. */
  public SizeOracle sizes() {
    return sizes;
  }

  /** The popularity oracle, or null. */
  public PopularityOracle popularity() {
    return popularity;
  }

  /** The forecast of service times. */
  public Forecast forecast() {
    return forecast;
  }

  /** The exchanged facts; may be empty. */
  public Facts facts() {
    return facts;
  }

  /** The messages between coordinators; null for none. */
  public Exchange exchange() {
    return exchange;
  }

  /** Unit of the tags that this strategy writes and understands. */
  public Unit unit() {
    return traits.unit();
  }

  /** The constant properties of its parts. */
  public Traits traits() {
    return traits;
  }

  /** How full the size oracle was at the last {@link #tick}, 0 to 1; 0 without an oracle. */
  public double sizeFillRatio() {
    return sizeFillRatio;
  }

  /**
   * The oracle's largest forecast size for any key, as of the last {@link #tick}; {@code
   * Long.MAX_VALUE} if unknown.
   */
  public long mostSizeBytes() {
    return mostSizeBytes;
  }

  /**
   * Whether a host must call this strategy even while no read waits at any node. If not, and if
   * neither its own queue nor the facts of other nodes show a waiting read, the host may act as
   * stock.
   */
  public boolean actsWithoutQueue() {
    return blind || traits.actsWithoutQueue();
  }

  /** The configured bound on the time that a queued read may be overtaken, if there is one. */
  public OptionalLong maxWaitNanos() {
    return spec.maxWaitNanos();
  }

  /** The most reads in a queue, if the order has such a bound. */
  public OptionalLong queueCapacity() {
    return spec.queueCapacity();
  }

  /** The acting policy for each part of the document. */
  public Map<String, String> names() {
    return spec.names();
  }

  /** The document with every default written out; it parses to an equal strategy. */
  public String document() {
    return spec.document();
  }

  /** How often the host must call {@link #tick}. */
  public long tickIntervalNanos() {
    return Math.min(
        TICK_NANOS, Math.min(selector.tickIntervalNanos(), planner.tickIntervalNanos()));
  }

  /**
   * Called by the timer, some ten times a second: applies new facts of nodes 0 to nodes - 1, and
   * lets policies recompute their scores.
   */
  public void tick(ClusterView state, int nodes, long nowNanos) {
    forecast.recompute(state, nodes, nowNanos);
    if (sizes != null) {
      sizes.tick(nowNanos);
      sizeFillRatio = sizes.fillRatio();
      mostSizeBytes = sizes.mostBytes();
    }
    if (popularity != null) {
      popularity.tick();
    }
    selector.tick(state, nowNanos);
    planner.tick(state, nowNanos);
  }

  private boolean isLarge(long bytes) {
    return bytes >= traits.largeAboveBytes();
  }

  private long forecastNanos(long bytes) {
    return isLarge(bytes) ? forecast.largeNanos() : forecast.smallNanos();
  }

  private static long cost(Unit unit, long bytes, long nanos) {
    return switch (unit) {
      case KEYS -> 1;
      case NANOS -> nanos;
      case BYTES -> bytes;
    };
  }
}
