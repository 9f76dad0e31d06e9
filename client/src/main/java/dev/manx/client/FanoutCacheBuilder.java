/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.config.Durations;
import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.level.SecondLevel;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Configures and creates a cache. Later calls override earlier ones. Confined to one thread. */
public final class FanoutCacheBuilder {
  static final Setting CAPACITY =
      Setting.size("capacity", "256MiB", "1MiB", "1PiB", "total size of all shares");
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
          "a share grows only if doubling it would avoid this part of its backend's misses; 0: the"
              + " policy as published");

  private static final Setting SHADOW =
      Setting.flag("shadow", false, "decisions are only reported: no share moves");

  /** The settings of the cache itself that have a single value. */
  static final List<Setting> SETTINGS =
      List.of(CAPACITY, REQUEST_TIME_OUT, RECORD_EVERY, LEAST_GAIN, SHADOW);

  private long capacityBytes = (Long) CAPACITY.standard();
  private ConfiguredStrategy strategy =
      ConfiguredStrategy.inCode(CacheStrategy.named("cache.robinhood"));
  private StoreFactory stores = CaffeineStore.factory();
  private Duration requestTimeOut = Duration.ZERO;
  private int recordEvery = 1;
  private double leastGain = (Double) LEAST_GAIN.standard();
  private boolean shadow;
  private BackendSettings standard = BackendSettings.DEFAULTS;
  // Where the strategy was read, for error messages.
  private Optional<ConfigNode> standardNode = Optional.empty();
  private final Map<String, ConfigNode> backends = new HashMap<>();
  private StatisticsExchange exchange = StatisticsExchange.inProcess();
  private Optional<InvalidationChannel> invalidations = Optional.empty();
  private Optional<SecondLevel> secondLevel = Optional.empty();
  private Tracing tracing;
  private final List<Carrier> carriers = new ArrayList<>();
  private NanoClock clock = System::nanoTime;
  private boolean running = true;
  // Channels, second levels and statistics clients of the caches that it has opened.
  private final Set<Object> given = Collections.newSetFromMap(new IdentityHashMap<>());

  FanoutCacheBuilder() {}

  /** Sets the total size of all shares; 256 MiB by default. */
  public FanoutCacheBuilder capacity(long bytes) {
    CAPACITY.check(bytes);
    capacityBytes = bytes;
    return this;
  }

  /**
   * Sets how space is divided; {@code cache.robinhood} by default. Floor and page default to the
   * published values, but at most half a per cent and a thousandth of the capacity.
   */
  public FanoutCacheBuilder strategy(CacheStrategy newStrategy) {
    strategy = ConfiguredStrategy.inCode(newStrategy);
    return this;
  }

  /** Sets the store of the shares; Caffeine by default. */
  public FanoutCacheBuilder stores(StoreFactory factory) {
    stores = Objects.requireNonNull(factory);
    return this;
  }

  /**
   * Sets the time after which a request's pending queries fail; zero, the default: only the
   * backends' time-outs apply.
   */
  public FanoutCacheBuilder requestTimeOut(Duration limit) {
    Durations.check(REQUEST_TIME_OUT, limit);
    requestTimeOut = limit;
    return this;
  }

  /**
   * Records a random one of this many requests and queries, 1 (all, the default) to 10,000: for
   * rates at which even ten nanoseconds matter. Percentiles and blocking counts keep their
   * proportions.
   */
  public FanoutCacheBuilder recordEvery(int times) {
    RECORD_EVERY.check((long) times);
    recordEvery = times;
    return this;
  }

  /**
   * Lets a share grow only if, by the sampled miss curve, doubling it would avoid at least this
   * part of its backend's misses. A backend whose keys rarely repeat then does not take space,
   * however slow it is. 0.05 by default; 0 is the policy as published, without this veto and
   * without the sampling.
   */
  public FanoutCacheBuilder leastGain(double part) {
    LEAST_GAIN.check(part);
    leastGain = part;
    return this;
  }

  /**
   * Sets whether decisions are only reported, in {@code stats().loop().policy().wanted()} and the
   * metric {@code manx.cache.backend.wanted}: no share moves. Shows the effect of a strategy before
   * it acts.
   */
  public FanoutCacheBuilder shadow(boolean onlyReports) {
    shadow = onlyReports;
    return this;
  }

  /** Sets the settings of backends without their own. */
  public FanoutCacheBuilder standard(BackendSettings settings) {
    standard = Objects.requireNonNull(settings);
    standardNode = Optional.empty();
    return this;
  }

  /**
   * Sets how servers merge their statistics; in process by default. The cache closes the exchange.
   */
  public FanoutCacheBuilder exchange(StatisticsExchange newExchange) {
    exchange = Objects.requireNonNull(newExchange);
    return this;
  }

  /**
   * Sets the channel over which {@link Backend#invalidate}, {@link Backend#invalidateAll}, {@link
   * Backend#put} and {@link Backend#putAll} also reach the other servers of the application, which
   * use the same backend names. By default they stay on this server. The cache opens and closes the
   * channel.
   */
  public FanoutCacheBuilder invalidations(InvalidationChannel channel) {
    invalidations = Optional.of(channel);
    return this;
  }

  /**
   * Sets a level that all servers of the application share, below stores in this process. A key
   * missing here is looked up there before its backend is asked. None by default. The cache opens
   * and closes the level.
   */
  public FanoutCacheBuilder secondLevel(SecondLevel level) {
    secondLevel = Optional.of(level);
    return this;
  }

  /**
   * Traces waiting requests, queries and loads, and calls loaders in the trace's context. None by
   * default; {@code manx-client-opentelemetry} supports OpenTelemetry.
   */
  public FanoutCacheBuilder tracing(Tracing newTracing) {
    tracing = Objects.requireNonNull(newTracing);
    return this;
  }

  /** Adds a carrier, which passes context of a query's caller to its loader and its callbacks. */
  public FanoutCacheBuilder carry(Carrier carrier) {
    carriers.add(Objects.requireNonNull(carrier));
    return this;
  }

  /** Sets the clock of latencies and decisions; {@link System#nanoTime} by default. */
  public FanoutCacheBuilder clock(NanoClock newClock) {
    clock = Objects.requireNonNull(newClock);
    return this;
  }

  /** Starts no control thread: the host calls {@link FanoutCache#tick()} itself. */
  public FanoutCacheBuilder drivenByHost() {
    running = false;
    return this;
  }

  /**
   * Reads settings from the mapping {@code cache} of a YAML file.
   *
   * @throws IOException if it cannot be read
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
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
   * backend} (the standard) and {@code backends} (by name; missing keys of a backend keep the
   * values of its {@link BackendSpec}). Missing keys keep their values.
   *
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  public FanoutCacheBuilder configure(ConfigNode node) {
    capacity((Long) CAPACITY.readOr(node, capacityBytes));
    node.find("policy").ifPresent(n -> strategy = ConfiguredStrategy.read(n));
    node.findGiven("store").ifPresent(n -> stores(StoreKinds.store(n)));
    node.findGiven("invalidations").ifPresent(n -> invalidations(StoreKinds.channel(n)));
    node.findGiven("second-level").ifPresent(n -> secondLevel(StoreKinds.secondLevel(n)));
    node.findGiven("statistics").ifPresent(n -> exchange(StatisticsClient.read(n)));
    requestTimeOut(Durations.readOr(REQUEST_TIME_OUT, node, requestTimeOut));
    recordEvery(Math.toIntExact((Long) RECORD_EVERY.readOr(node, (long) recordEvery)));
    leastGain((Double) LEAST_GAIN.readOr(node, leastGain));
    shadow((Boolean) SHADOW.readOr(node, shadow));
    node.find("backend").ifPresent(this::readStandard);
    node.find("backends")
        .ifPresent(all -> all.names().forEach(name -> backend(name, all.mappingAt(name))));
    node.noOtherKeys();
    return this;
  }

  private void readStandard(ConfigNode node) {
    standard(standard.read(node));
    standardNode = Optional.of(node);
  }

  private void backend(String name, ConfigNode node) {
    // Validates only; the values are read again over the backend's own settings.
    BackendSettings.DEFAULTS.read(node);
    backends.put(name, node);
  }

  /**
   * Creates the cache; its control loop runs until it is closed. If it cannot be created with valid
   * settings, the channel and the second level that it was given are closed.
   *
   * @throws dev.manx.policy.config.ConfigException if the policy was read from a file, and needs
   *     evictions that the stores do not report or has a floor above the capacity
   * @throws IllegalArgumentException in the same case, if the policy was not read from a file
   * @throws IllegalStateException if this builder has already opened a cache with this channel,
   *     second level or statistics client, which belong to one cache
   */
  public FanoutCache open() {
    strategy.check(capacityBytes, stores.reportsEvictions());
    Optional.of(exchange).filter(StatisticsClient.class::isInstance).ifPresent(this::give);
    invalidations.ifPresent(this::give);
    secondLevel.ifPresent(level -> give(level.link()));
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

  private void give(Object part) {
    if (!given.add(part)) {
      throw new IllegalStateException(
          "the channel, second level and statistics client belong to the cache that this builder"
              + " opened first");
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
        standardNode,
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

  /** Null without carriers and tracing. */
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
