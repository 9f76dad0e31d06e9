/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.measure.Measures;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.Tracing;
import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.shares.CacheStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Describes a cache. Later calls override earlier ones. Confined to one thread. */
public final class FanoutCacheBuilder {
  static final Setting CAPACITY =
      Setting.size("capacity", "256MiB", "1MiB", "1PiB", "size of all shares together");
  static final Setting REQUEST_TIME_OUT =
      Setting.duration(
          "request-time-out",
          "0",
          "0",
          "1h",
          "a request's pending queries fail after this time; 0: only the backends'"
              + " time-outs apply");
  static final Setting RECORD_EVERY =
      Setting.whole(
          "record-every", 1, 1, 10_000, "one of this many requests and queries is recorded");
  static final Setting LEAST_GAIN =
      Setting.share(
          "least-gain",
          0.05,
          0,
          1,
          "a share grows only if doubling it would spare this part of its backend's misses; 0: the"
              + " policy as published");

  private static final Setting SHADOW =
      Setting.flag("shadow", false, "decisions are reported and not carried out: no share moves");

  /** The settings of the cache itself that are single values. */
  static final List<Setting> SETTINGS =
      List.of(CAPACITY, REQUEST_TIME_OUT, RECORD_EVERY, LEAST_GAIN, SHADOW);

  private long capacityBytes = (Long) CAPACITY.standard();
  private CacheStrategy strategy = CacheStrategy.named("cache.robinhood");
  // Where it was read, to refuse it there.
  private ConfigNode strategyNode;
  private StoreFactory stores = CaffeineStore.factory();
  private Duration requestTimeOut = Duration.ZERO;
  private int recordEvery = 1;
  private double leastGain = (Double) LEAST_GAIN.standard();
  private boolean shadow;
  private BackendSettings standard = BackendSettings.DEFAULTS;
  private final Map<String, ConfigNode> backends = new HashMap<>();
  private StatisticsExchange exchange = StatisticsExchange.inProcess();
  private Optional<InvalidationChannel> invalidations = Optional.empty();
  private Optional<SecondLevel> secondLevel = Optional.empty();
  private Tracing tracing;
  private final List<Carrier> carriers = new ArrayList<>();
  private NanoClock clock = System::nanoTime;
  private boolean running = true;

  FanoutCacheBuilder() {}

  /** Bytes of all shares together; 256 MiB by default. */
  public FanoutCacheBuilder capacity(long bytes) {
    CAPACITY.check(bytes);
    capacityBytes = bytes;
    return this;
  }

  /**
   * How space is divided; {@code cache.robinhood} by default. If its floor and page are not given,
   * they are as published, but at most half a per cent and a thousandth of the capacity.
   */
  public FanoutCacheBuilder strategy(CacheStrategy newStrategy) {
    strategy = Objects.requireNonNull(newStrategy);
    strategyNode = null;
    return this;
  }

  /** Where shares are kept; Caffeine by default. */
  public FanoutCacheBuilder stores(StoreFactory factory) {
    stores = Objects.requireNonNull(factory);
    return this;
  }

  /** After this a request's pending queries fail; zero, the default, leaves it to the backends. */
  public FanoutCacheBuilder requestTimeOut(Duration limit) {
    Durations.check(REQUEST_TIME_OUT, limit);
    requestTimeOut = limit;
    return this;
  }

  /**
   * Records one of so many requests and queries at random, 1 (all, the default) to 10,000: for
   * rates at which even some ten nanoseconds count. Percentiles and blocking counts keep their
   * proportions.
   */
  public FanoutCacheBuilder recordEvery(int times) {
    RECORD_EVERY.check((long) times);
    recordEvery = times;
    return this;
  }

  /**
   * No share grows unless, by the sampled miss curve, twice the share would spare at least this
   * part of its backend's misses: a backend whose keys hardly repeat then takes no space, however
   * slow it is. 0.05 by default; 0 is the policy as published, without this veto and without the
   * sampling.
   */
  public FanoutCacheBuilder leastGain(double part) {
    LEAST_GAIN.check(part);
    leastGain = part;
    return this;
  }

  /**
   * Whether decisions are only reported, in {@code stats().loop().policy().wanted()} and the metric
   * {@code manx.cache.backend.wanted}: no share moves. For a look at what a strategy would do.
   */
  public FanoutCacheBuilder shadow(boolean onlyReports) {
    shadow = onlyReports;
    return this;
  }

  /** Settings of backends that have none of their own. */
  public FanoutCacheBuilder standard(BackendSettings settings) {
    standard = Objects.requireNonNull(settings);
    return this;
  }

  /** Where statistics of several application servers come together; in process by default. */
  public FanoutCacheBuilder exchange(StatisticsExchange newExchange) {
    exchange = Objects.requireNonNull(newExchange);
    return this;
  }

  /**
   * Through this, {@link Backend#invalidate}, {@link Backend#invalidateAll} and {@link Backend#put}
   * also reach the other servers of the application, which use the same names of backends. By
   * default they do not. The cache opens and closes it.
   */
  public FanoutCacheBuilder invalidations(InvalidationChannel channel) {
    invalidations = Optional.of(channel);
    return this;
  }

  /**
   * A level that all servers of the application share, below stores that must be in this process: a
   * key that is not here is looked for there before its backend is asked. By default there is none.
   * The cache opens and closes it.
   */
  public FanoutCacheBuilder secondLevel(SecondLevel level) {
    secondLevel = Optional.of(level);
    return this;
  }

  /**
   * Follows what waits, for spans, and calls loaders in what it sets. By default nothing does;
   * {@code manx-client-opentelemetry} has one for OpenTelemetry.
   */
  public FanoutCacheBuilder tracing(Tracing newTracing) {
    tracing = Objects.requireNonNull(newTracing);
    return this;
  }

  /**
   * Carries something more of the caller of a query to the loader, next to what other carriers do.
   */
  public FanoutCacheBuilder carry(Carrier carrier) {
    carriers.add(Objects.requireNonNull(carrier));
    return this;
  }

  /** The clock of latencies and decisions; {@link System#nanoTime} by default. */
  public FanoutCacheBuilder clock(NanoClock newClock) {
    clock = Objects.requireNonNull(newClock);
    return this;
  }

  /** No control thread: the host calls {@link FanoutCache#tick()} itself. */
  public FanoutCacheBuilder drivenByHost() {
    running = false;
    return this;
  }

  /**
   * Reads settings from a YAML file whose mapping {@code cache} holds them.
   *
   * @throws IOException if it cannot be read
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public FanoutCacheBuilder configure(Path file) throws IOException {
    ConfigNode top = ConfigNode.parse(file.toString(), Files.readString(file));
    configure(top.at("cache"));
    top.noOtherKeys();
    return this;
  }

  /**
   * Reads settings from a mapping: {@code capacity}, {@code policy}, {@code store}, {@code
   * statistics}, {@code invalidations} and {@code second-level} (of several application servers),
   * {@code request-time-out}, {@code record-every}, {@code least-gain}, {@code shadow}, {@code
   * backend} (the standard) and {@code backends} (by name; what one of them lacks stays as its
   * {@link BackendSpec} says). What it lacks stays as it is.
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public FanoutCacheBuilder configure(ConfigNode node) {
    capacity((Long) CAPACITY.readOr(node, capacityBytes));
    node.find("policy").ifPresent(this::readStrategy);
    node.find("store").ifPresent(n -> stores(Kinds.store(n)));
    node.find("invalidations").ifPresent(n -> invalidations(Kinds.channel(n)));
    node.find("second-level").ifPresent(n -> secondLevel(Kinds.secondLevel(n)));
    node.find("statistics").ifPresent(n -> exchange(StatisticsClient.read(n)));
    requestTimeOut(Durations.readOr(REQUEST_TIME_OUT, node, requestTimeOut));
    recordEvery(Math.toIntExact((Long) RECORD_EVERY.readOr(node, (long) recordEvery)));
    leastGain((Double) LEAST_GAIN.readOr(node, leastGain));
    shadow((Boolean) SHADOW.readOr(node, shadow));
    node.find("backend").ifPresent(n -> standard(standard.read(n)));
    node.find("backends")
        .ifPresent(all -> all.names().forEach(name -> backend(name, all.at(name))));
    node.noOtherKeys();
    return this;
  }

  private void readStrategy(ConfigNode node) {
    strategy(CacheStrategy.of(node, System::nanoTime));
    strategyNode = node.isMapping() ? node.find("signal").orElse(node.at("policy")) : node;
  }

  private void backend(String name, ConfigNode node) {
    // To refuse what is wrong here; what counts is read over the backend's own settings.
    BackendSettings.DEFAULTS.read(node);
    backends.put(name, node);
  }

  /**
   * Makes the cache; its control loop runs until it is closed. If it cannot be made, the channel
   * and the second level that it was given are closed.
   *
   * @throws dev.manx.policy.config.ConfigException if the policy was read from a file and needs
   *     evictions that the stores do not report
   * @throws IllegalArgumentException likewise, if it was not
   */
  public FanoutCache open() {
    CacheStrategy chosen = settings().strategy();
    Measures.instead(chosen.newPolicy(), stores.tellsEvictions())
        .ifPresent(
            instead -> {
              throw strategyNode != null
                  ? strategyNode.refuse(instead)
                  : new IllegalArgumentException(
                      chosen.name() + " by shadow hits is invalid; allowed: " + instead);
            });
    boolean made = false;
    try {
      FanoutCache cache = new FanoutCache(this);
      made = true;
      return cache;
    } finally {
      if (!made) {
        new Steps()
            .take(
                () -> invalidations.ifPresent(InvalidationChannel::close),
                () -> secondLevel.ifPresent(level -> level.link().close()));
      }
    }
  }

  CacheSettings settings() {
    return new CacheSettings(
        capacityBytes,
        strategy.forCapacity(capacityBytes),
        requestTimeOut,
        recordEvery,
        leastGain,
        shadow,
        standard,
        backends);
  }

  StoreFactory stores() {
    return stores;
  }

  StatisticsExchange exchange() {
    return exchange;
  }

  Optional<InvalidationChannel> invalidations() {
    return invalidations;
  }

  Optional<SecondLevel> secondLevel() {
    return secondLevel;
  }

  /** Null if nothing is carried or followed. */
  Traces traces() {
    Services<Carrier> found =
        Services.find(Carrier.class, carrier -> carrier.getClass().getName(), List.of());
    List<Carrier> all = new ArrayList<>(found.byName().values());
    all.addAll(carriers);
    return Traces.of(tracing, all);
  }

  NanoClock clock() {
    return clock;
  }

  boolean running() {
    return running;
  }
}
