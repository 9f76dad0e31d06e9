/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.policy.Request;
import dev.manx.policy.facts.TagCodec;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;

/** The read stage of one node under a mixed load, in virtual time. */
final class StageLoad {
  static final long MILLI = 1_000_000;

  private static final long TIMEOUT = 5_000 * MILLI;
  private static final int THREADS = 2;

  /** The kinds of reads that arrive at the stage. */
  enum Kind {
    /** A range or index read. */
    SCAN,
    /** A single-partition read without a tag, of the coordinator whose multigets have tags. */
    UNTAGGED,
    /**
     * One of several single-partition reads that another coordinator sends in turn, without tags.
     */
    PAGED,
    /** One of several single-partition reads that the same coordinator sends at once. */
    UNPAGED,
    /** One of several reads of a tagged request. */
    MULTIGET,
    /** A single-partition read of one of Cassandra's own tables, as for a login. */
    SYSTEM
  }

  /**
   * Waits of the reads of a kind; for multigets, of each one's last read; for paged ones, of all
   * their reads.
   */
  static final class Waits {
    private long count;
    private double sum;
    private int late;

    void add(long nanos) {
      count++;
      sum += nanos;
      late += nanos > TIMEOUT ? 1 : 0;
    }

    double meanMillis() {
      return sum / count / MILLI;
    }

    /** Number of reads that did not wait too long. */
    long inTime() {
      return count - late;
    }

    /** Number of reads that waited longer than in Cassandra. */
    int late() {
      return late;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%d waited %.1f ms, %d of them too long", count, meanMillis(), late);
    }
  }

  private final class Arrival extends VirtualStage.Read {
    private final Message<ReadCommand> message;
    private final long arrived;
    private final LongConsumer waited;
    private final Runnable then;

    Arrival(Message<ReadCommand> message, long arrived, LongConsumer waited, Runnable then) {
      this.message = message;
      this.arrived = arrived;
      this.waited = waited;
      this.then = then;
    }

    @Override
    void started(long nowNanos) {
      waited.accept(nowNanos - arrived);
    }

    @Override
    void ended(long nowNanos) {
      then.run();
    }
  }

  /** Presents the arrivals to the stage as Cassandra's own runnables. */
  private static final class Arrivals extends ReadRunnables {
    Arrivals() throws ReflectiveOperationException {}

    @Override
    Message.Header header(Runnable runnable) {
      return ((Arrival) runnable).message.header;
    }

    @Override
    ReadCommand command(Runnable runnable) {
      return ((Arrival) runnable).message.payload;
    }
  }

  private final ReadCommand scan = TestSchema.command("SELECT * FROM ks.plain");
  private final ReadCommand single = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
  private final ReadCommand system =
      TestSchema.command("SELECT * FROM system_auth.roles WHERE role = 'cassandra'");
  private final InetAddressAndPort peer;
  private final InetAddressAndPort other;
  private final Map<Kind, Waits> waits = new EnumMap<>(Kind.class);
  // One for each kind: the arrivals of one kind do not depend on the service order of others.
  private final Map<Kind, SplittableRandom> randoms = new EnumMap<>(Kind.class);
  private final VirtualStage stock = new VirtualStage(THREADS);
  private final Engine engine;
  private final ReadStage stage;
  private long requests;

  /** Creates an idle stage whose queue is ordered by a strategy. */
  StageLoad(String strategy) throws ReflectiveOperationException, UnknownHostException {
    peer = InetAddressAndPort.getByName("127.0.0.2");
    other = InetAddressAndPort.getByName("127.0.0.3");
    for (Kind kind : Kind.values()) {
      waits.put(kind, new Waits());
      randoms.put(kind, new SplittableRandom(7 + kind.ordinal()));
    }
    engine = TestEngines.of(strategy, stock::now);
    engine.nodes().id(peer);
    engine.nodes().id(other);
    stage = new ReadStage(stock.executor(), engine, () -> engine, new Arrivals());
    tick();
  }

  ReadStage stage() {
    return stage;
  }

  /** Number of reads that went first because they had waited as long as the order allows. */
  long cuts() {
    return stage.ranked().cuts();
  }

  /** Runs the load until a moment, and returns the waits of the reads. */
  Map<Kind, Waits> until(long nanos) {
    stock.runUntil(nanos);
    return waits;
  }

  /** The work of the plugin's timer, ten times a second. */
  private void tick() {
    engine.strategy().facts().applyLocal(engine.load(), engine.state(), engine.self(), stock.now());
    engine.strategy().tick(engine.state(), 1, stock.now());
    stock.at(stock.now() + 100 * MILLI, this::tick);
  }

  private void arrive(Kind kind, long serviceNanos, Runnable then) {
    arrive(kind, serviceNanos, null, waits.get(kind)::add, then);
  }

  private void arrive(
      Kind kind, long serviceNanos, byte[] tag, LongConsumer waited, Runnable then) {
    Message.Builder<ReadCommand> message =
        Message.builder(Verb.READ_REQ, command(kind))
            .from(kind == Kind.PAGED || kind == Kind.UNPAGED ? other : peer)
            .withId(1);
    if (tag != null) {
      message.withParam(ParamType.CUSTOM_MAP, Map.of("manx", tag));
    }
    stage.execute(
        stock.read(new Arrival(message.build(), stock.now(), waited, then), serviceNanos));
  }

  private ReadCommand command(Kind kind) {
    return switch (kind) {
      case SCAN -> scan;
      case SYSTEM -> system;
      default -> single;
    };
  }

  /** Clients that read again as soon as they have an answer: scans, or Cassandra's own tables. */
  void closed(Kind kind, int clients) {
    for (int client = 0; client < clients; client++) {
      stock.at(randoms.get(kind).nextLong(3 * MILLI), () -> again(kind));
    }
  }

  private void again(Kind kind) {
    arrive(kind, 3 * MILLI, () -> stock.at(stock.now(), () -> again(kind)));
  }

  /** Clients of the coordinator without Manx that read again as soon as they have an answer. */
  void closedReads(int clients) {
    for (int client = 0; client < clients; client++) {
      stock.at(randoms.get(Kind.UNPAGED).nextLong(MILLI), this::readAgain);
    }
  }

  private void readAgain() {
    long service = aboutAMilli(randoms.get(Kind.UNPAGED));
    arrive(Kind.UNPAGED, service, () -> stock.at(stock.now(), this::readAgain));
  }

  /** Requests of a kind with random arrivals. */
  void open(Kind kind, double perSecond) {
    SplittableRandom random = randoms.get(kind);
    poisson(
        random,
        perSecond,
        switch (kind) {
          case SCAN -> () -> arrive(Kind.SCAN, 3 * MILLI, () -> {});
          case SYSTEM -> () -> arrive(Kind.SYSTEM, aboutAMilli(random), () -> {});
          case UNTAGGED -> () -> arrive(Kind.UNTAGGED, aboutAMilli(random), () -> {});
          case PAGED -> () -> paged(random.split(), 1 << random.nextInt(5), 0);
          case UNPAGED -> () -> unpaged(random);
          case MULTIGET -> () -> multiget(random);
        });
  }

  private static long aboutAMilli(SplittableRandom random) {
    return random.nextLong(MILLI / 2, 3 * MILLI / 2);
  }

  private void poisson(SplittableRandom random, double perSecond, Runnable arrival) {
    long gap = Math.round(-Math.log(1 - random.nextDouble()) / perSecond * 1_000 * MILLI);
    stock.at(
        stock.now() + gap,
        () -> {
          arrival.run();
          poisson(random, perSecond, arrival);
        });
  }

  /**
   * Reads one partition after another; each read follows half a millisecond after the previous one.
   */
  private void paged(SplittableRandom random, int left, long waitedNanos) {
    if (left == 0) {
      waits.get(Kind.PAGED).add(waitedNanos);
      return;
    }
    long[] sum = {waitedNanos};
    arrive(
        Kind.PAGED,
        aboutAMilli(random),
        null,
        nanos -> sum[0] += nanos,
        () -> stock.at(stock.now() + MILLI / 2, () -> paged(random, left - 1, sum[0])));
  }

  /** A request waits as long as the longest wait among its reads. */
  private LongConsumer longestOf(Kind kind, int reads) {
    long[] longest = new long[1];
    int[] left = {reads};
    return nanos -> {
      longest[0] = Math.max(longest[0], nanos);
      if (--left[0] == 0) {
        waits.get(kind).add(longest[0]);
      }
    };
  }

  private void unpaged(SplittableRandom random) {
    int reads = 1 << random.nextInt(5);
    LongConsumer waited = longestOf(Kind.UNPAGED, reads);
    for (int read = 0; read < reads; read++) {
      arrive(Kind.UNPAGED, aboutAMilli(random), null, waited, () -> {});
    }
  }

  /** From 1 to 16 reads of one request, 1 ms each in the mean. */
  private void multiget(SplittableRandom random) {
    int reads = 1 << random.nextInt(5);
    LongConsumer waited = longestOf(Kind.MULTIGET, reads);
    Request request = new Request();
    request.begin(stock.now(), new SplittableRandom(1), 4);
    for (int read = 0; read < reads; read++) {
      request.addRead(null, random.nextLong(), 1);
      request.addReplica(0, 0);
    }
    engine.strategy().plan(request, engine.state());
    requests++;
    for (int read = 0; read < reads; read++) {
      byte[] tag = TagCodec.encode(request, read, requests);
      arrive(Kind.MULTIGET, aboutAMilli(random), tag, waited, () -> {});
    }
  }
}
