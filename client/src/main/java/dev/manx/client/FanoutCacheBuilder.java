/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.measure.Measures;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.StoreFactory;
import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Describes a cache. Later calls override earlier ones. Confined to one thread. */
public final class FanoutCacheBuilder {
  /** The smallest cache. */
  public static final long LEAST_CAPACITY_BYTES = 1 << 20;

  private static final long MOST_CAPACITY_BYTES = 1L << 50;
  private static final int MOST_SKIPPED = 10_000;
  private static final Duration LONGEST = Duration.ofHours(1);

  private long capacityBytes = 256L << 20;
  private CacheStrategy strategy = CacheStrategy.named("cache.robinhood");
  // Where it was read, to refuse it there.
  private ConfigNode strategyNode;
  private StoreFactory stores = CaffeineStore.factory();
  private Duration requestTimeOut = Duration.ZERO;
  private int recordEvery = 1;
  private double leastGain;
  private BackendSettings standard = BackendSettings.DEFAULTS;
  private final Map<String, BackendSettings> backends = new HashMap<>();
  private StatisticsExchange exchange = StatisticsExchange.inProcess();
  private NanoClock clock = System::nanoTime;
  private boolean running = true;

  FanoutCacheBuilder() {}

  /** Bytes of all shares together, 1 MiB to 1 PiB; 256 MiB unless told. */
  public FanoutCacheBuilder capacity(long bytes) {
    if (bytes < LEAST_CAPACITY_BYTES || bytes > MOST_CAPACITY_BYTES) {
      throw new IllegalArgumentException("capacity " + bytes + "; allowed: 1 MiB to 1 PiB");
    }
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

  /** Where shares are kept; Caffeine unless told. */
  public FanoutCacheBuilder stores(StoreFactory factory) {
    stores = Objects.requireNonNull(factory);
    return this;
  }

  /** After this a request's pending queries fail; zero, the default, leaves it to the backends. */
  public FanoutCacheBuilder requestTimeOut(Duration limit) {
    if (limit.isNegative() || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("request-time-out " + limit + "; allowed: 0 to 1 h");
    }
    requestTimeOut = limit;
    return this;
  }

  /**
   * Records one of so many requests and queries at random, 1 (all, the default) to 10,000: for
   * rates at which even some ten nanoseconds count. Percentiles and blocking counts keep their
   * proportions.
   */
  public FanoutCacheBuilder recordEvery(int times) {
    if (times < 1 || times > MOST_SKIPPED) {
      throw new IllegalArgumentException("record-every " + times + "; allowed: 1 to 10000");
    }
    recordEvery = times;
    return this;
  }

  /**
   * No share grows unless, by the sampled miss curve, twice the share would spare at least this
   * part of its backend's misses: a backend whose keys hardly repeat then takes no space, however
   * slow it is. 0, the default, is without this veto and without the sampling; 0.05 is a good
   * value.
   */
  public FanoutCacheBuilder leastGain(double part) {
    if (!(part >= 0 && part <= 1)) {
      throw new IllegalArgumentException("least-gain " + part + "; allowed: 0 to 1");
    }
    leastGain = part;
    return this;
  }

  /** Settings of backends that have none of their own. */
  public FanoutCacheBuilder standard(BackendSettings settings) {
    standard = Objects.requireNonNull(settings);
    return this;
  }

  /** Where statistics of several application servers come together; in process unless told. */
  public FanoutCacheBuilder exchange(StatisticsExchange newExchange) {
    exchange = Objects.requireNonNull(newExchange);
    return this;
  }

  /** The clock of latencies and decisions; {@link System#nanoTime} unless told. */
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
   * statistics} (of several application servers), {@code request-time-out}, {@code record-every},
   * {@code least-gain}, {@code backend} (the standard) and {@code backends} (by name). What it
   * lacks stays as it is.
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public FanoutCacheBuilder configure(ConfigNode node) {
    node.find("capacity")
        .ifPresent(n -> capacity(n.bytes(LEAST_CAPACITY_BYTES, MOST_CAPACITY_BYTES)));
    node.find("policy").ifPresent(this::readStrategy);
    node.find("store").ifPresent(n -> stores(StoreKinds.read(n)));
    node.find("statistics").ifPresent(n -> exchange(StatisticsClient.read(n)));
    node.find("request-time-out")
        .ifPresent(n -> requestTimeOut(Duration.ofNanos(n.durationNanos(0, LONGEST.toNanos()))));
    node.find("record-every").ifPresent(n -> recordEvery((int) n.integer(1, MOST_SKIPPED)));
    node.find("least-gain").ifPresent(n -> leastGain(n.fraction(0, 1)));
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
    backends.put(name, standard.read(node));
  }

  /**
   * Makes the cache; its control loop runs until it is closed.
   *
   * @throws dev.manx.policy.config.ConfigException if the policy was read from a file and needs to
   *     know what the stores evict, but they do not tell
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
                      chosen.name() + " by shadow hits is refused; allowed: " + instead);
            });
    return new FanoutCache(this);
  }

  CacheSettings settings() {
    return new CacheSettings(
        capacityBytes,
        strategy.forCapacity(capacityBytes),
        requestTimeOut,
        recordEvery,
        leastGain,
        standard,
        backends);
  }

  StoreFactory stores() {
    return stores;
  }

  StatisticsExchange exchange() {
    return exchange;
  }

  NanoClock clock() {
    return clock;
  }

  boolean running() {
    return running;
  }
}
