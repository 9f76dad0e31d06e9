/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.util.Arrays;
import java.util.List;

/**
 * The messages that coordinators send each other every interval, in addition to the facts that come
 * with answers: facts about nodes that a coordinator received lately, with their ages, and keys
 * that it newly found to be large. A coordinator that rarely sends a node reads thus knows the
 * node's queue, and one that starts cold learns from the reads of all coordinators.
 *
 * <p>Source: TailX (DAIS'20) section 1 promises gossiped queue lengths and section 3 a filter of
 * large keys at each coordinator, without describing how either is sent; the rest is ours. News
 * travel as hashes of keys, not as merged filters: repeatedly merged filters would keep restoring
 * keys that their owners have forgotten. Each coordinator sends to a few others and passes each key
 * that is new to it on once, so a key reaches nearly all in a number of rounds that grows with the
 * logarithm of their number. Facts keep their age; one older than an interval is not passed on.
 *
 * <p>Wire form: version byte; count of nodes; for each node its id, count of facts, and for each
 * fact its id, age in microseconds, count of numbers, numbers; count of keys, and eight bytes for
 * each key. All but the keys are varints. Nodes are named by ids that both sides know.
 *
 * <p>Threads: one timer calls {@link #message}; any thread may call {@link #take}.
 */
public final class Exchange {
  /** The settings of an exchange; a strategy may have none. */
  public static final List<Setting> SETTINGS =
      List.of(
          Setting.duration("interval", "1s", "1ms", "1h", "time between messages"),
          Setting.whole(
              "peers", 3, 1, 1_000, "coordinators that get each message, drawn at random"),
          Setting.whole(
              "most-keys", 4_096, 0, 1 << 20, "most large keys in a message, 8 bytes each"));

  /** First byte of the wire form. */
  public static final byte VERSION = 1;

  private static final int MICRO = 1_000;
  private static final int FACT_BYTES = 3 * Varints.MAX_BYTES;

  private final long intervalNanos;
  private final int peers;
  private final List<Fact> facts;
  private final LargeKeys largeKeys;
  private final long[] news;
  private byte[] room = new byte[256];
  // The facts of each node as first read; answers bring others meanwhile.
  private long[] ages = new long[0];

  /**
   * Creates an exchange that has sent nothing yet.
   *
   * @param intervalNanos time between two messages
   * @param peers coordinators that get each message, drawn by the environment
   * @param mostKeys most large keys in one message
   * @param facts the facts to send; may be empty
   * @param largeKeys knowledge of large keys, or null
   */
  public Exchange(
      long intervalNanos, int peers, int mostKeys, List<Fact> facts, LargeKeys largeKeys) {
    this.intervalNanos = intervalNanos;
    this.peers = peers;
    this.facts = List.copyOf(facts);
    this.largeKeys = largeKeys;
    news = new long[largeKeys == null ? 0 : mostKeys];
    if (largeKeys != null) {
      largeKeys.exportNews(mostKeys);
    }
  }

  /**
   * Creates an exchange with these {@link #SETTINGS} that has sent nothing yet.
   *
   * @param facts the facts to send; may be empty
   * @param largeKeys knowledge of large keys, or null
   */
  public static Exchange of(Values settings, List<Fact> facts, LargeKeys largeKeys) {
    return new Exchange(
        settings.number("interval"),
        settings.whole("peers"),
        settings.whole("most-keys"),
        facts,
        largeKeys);
  }

  /** The time between two messages. */
  public long intervalNanos() {
    return intervalNanos;
  }

  /** How many coordinators get each message. */
  public int peers() {
    return peers;
  }

  /**
   * Writes the news of nodes 0 to {@code nodes - 1} and of large keys.
   *
   * @return the message, or no bytes if there is no news
   */
  public byte[] message(ClusterView view, int nodes, long nowNanos) {
    look(view, nodes, nowNanos);
    int reported = 0;
    for (int node = 0; node < nodes; node++) {
      reported += fresh(node) > 0 ? 1 : 0;
    }
    int keys = largeKeys == null ? 0 : largeKeys.takeNews(news);
    if (reported == 0 && keys == 0) {
      return new byte[0];
    }
    reserve(reported, keys);
    room[0] = VERSION;
    int at = Varints.put(room, 1, reported);
    for (int node = 0; node < nodes; node++) {
      at = put(view, node, at);
    }
    at = Varints.put(room, at, keys);
    for (int i = 0; i < keys; i++) {
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        room[at++] = (byte) (news[i] >>> shift);
      }
    }
    return Arrays.copyOf(room, at);
  }

  /**
   * Applies another coordinator's message: the younger value of each fact stays. All or nothing.
   *
   * @param view the facts known so far
   * @param into the store of younger facts
   * @return false, with nothing changed, if the bytes are of a foreign version or malformed
   */
  public boolean take(byte[] message, ClusterView view, FactSink into, long nowNanos) {
    return walk(message, null, null, nowNanos) && walk(message, view, into, nowNanos);
  }

  /** Reads each age once, so that a message's count of facts matches its facts. */
  private void look(ClusterView view, int nodes, long nowNanos) {
    int count = facts.size();
    if (ages.length < nodes * count) {
      ages = new long[nodes * count];
    }
    for (int node = 0; node < nodes; node++) {
      for (int i = 0; i < count; i++) {
        FactColumn first = facts.get(i).columns().get(0);
        ages[node * count + i] = view.ageNanos(first, node, nowNanos);
      }
    }
  }

  private long age(int node, int fact) {
    return ages[node * facts.size() + fact];
  }

  private int fresh(int node) {
    int fresh = 0;
    for (int i = 0; i < facts.size(); i++) {
      fresh += age(node, i) < intervalNanos ? 1 : 0;
    }
    return fresh;
  }

  private void reserve(int reported, int keys) {
    int perNode = 2 * Varints.MAX_BYTES;
    for (int i = 0; i < facts.size(); i++) {
      perNode += FACT_BYTES + facts.get(i).maxBytes();
    }
    long bytes = 1 + 2L * Varints.MAX_BYTES + (long) reported * perNode + (long) keys * Long.BYTES;
    if (room.length < bytes) {
      room = new byte[Math.toIntExact(bytes)];
    }
  }

  private int put(ClusterView view, int node, int from) {
    int fresh = fresh(node);
    if (fresh == 0) {
      return from;
    }
    int at = Varints.put(room, from, node);
    at = Varints.put(room, at, fresh);
    for (int i = 0; i < facts.size(); i++) {
      Fact fact = facts.get(i);
      long age = age(node, i);
      if (age < intervalNanos) {
        at = Varints.put(room, at, fact.id());
        at = Varints.put(room, at, age / MICRO);
        at = Varints.put(room, at, fact.columns().size());
        for (int c = 0; c < fact.columns().size(); c++) {
          at = Varints.put(room, at, view.value(fact.columns().get(c), node));
        }
      }
    }
    return at;
  }

  /** Parses the whole message, and stores it if a store is given. */
  private boolean walk(byte[] message, ClusterView view, FactSink into, long nowNanos) {
    Varints.Reader reader = new Varints.Reader(message);
    if (reader.octet() != VERSION) {
      return false;
    }
    for (long nodes = reader.number(); nodes > 0 && reader.ok(); nodes--) {
      long node = reader.number();
      for (long count = reader.number(); count > 0 && reader.ok(); count--) {
        fact(reader, node, view, into, nowNanos);
      }
    }
    for (long keys = reader.number(); keys > 0 && reader.ok(); keys--) {
      long hash = 0;
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        hash |= (long) reader.octet() << shift;
      }
      if (into != null && largeKeys != null) {
        largeKeys.importKey(hash);
      }
    }
    return reader.ok() && reader.at() == message.length;
  }

  private void fact(
      Varints.Reader reader, long node, ClusterView view, FactSink into, long nowNanos) {
    Fact fact = byId(reader.number());
    long age = Math.min(reader.number(), Long.MAX_VALUE / 2 / MICRO) * MICRO;
    long numbers = reader.number();
    for (long i = 0; i < numbers && reader.ok(); i++) {
      long value = reader.number();
      boolean wanted = into != null && fact != null && i < fact.columns().size();
      if (wanted && node < view.capacity()) {
        FactColumn column = fact.columns().get((int) i);
        if (view.ageNanos(column, (int) node, nowNanos) > age) {
          into.apply(column, (int) node, Math.min(column.most(), value), nowNanos - age);
        }
      }
    }
  }

  private Fact byId(long id) {
    for (int i = 0; i < facts.size(); i++) {
      if (facts.get(i).id() == id) {
        return facts.get(i);
      }
    }
    return null;
  }
}
