/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys' names at the instance, and the puts whose fate is open. A put that was given up may
 * still arrive: a network retransmits dropped packets, and a client library has a queue. When a key
 * with an open put is invalidated or put again, it gets a new name at the instance, so that the
 * late value is never found. Thread-safe.
 */
/*
 * A put is settled once it can have no further effect: it has arrived, was rejected, or was never
 * sent. Its stage shows this, if necessary long after the time-out; otherwise a later response on
 * the same connection does, since a server executes the commands of a connection in their order. A
 * put on a connection that is gone stays open: its packets may be anywhere.
 *
 * A key gets its plain name back only after all puts under that name are settled and the name has
 * then been deleted. No other name is ever used twice, so the fate of puts under an earlier one
 * does not matter.
 */
final class DoubtfulPuts {
  /** Maximum number of keys in doubt or renamed; beyond it the store changes its prefix. */
  static final int MOST = 10_000;

  /** Number of such keys from which plain names are given back. */
  static final int MANY = MOST / 2;

  private static final long NONE = 0;

  /** A key with open puts, or a new name. */
  private static final class Entry {
    final String key;

    // NONE: the plain name.
    long name = NONE;
    // Open puts, in progress and given up, under the plain name and, if it differs, under the
    // present name.
    int plainUnderWay;
    int plainGivenUp;
    int underWay;
    int givenUp;

    Entry(String key) {
      this.key = key;
    }

    int plain() {
      return plainUnderWay + plainGivenUp;
    }

    boolean isOpen() {
      return (name == NONE ? plain() : underWay + givenUp) > 0;
    }

    boolean isKept() {
      return name != NONE || plainGivenUp > 0;
    }

    /** Counts a put under a name, unless it is an earlier name. */
    void count(long under, int moreUnderWay, int moreGivenUp) {
      if (under == NONE) {
        plainUnderWay += moreUnderWay;
        plainGivenUp += moreGivenUp;
      } else if (under == name) {
        underWay += moreUnderWay;
        givenUp += moreGivenUp;
      }
    }
  }

  private enum State {
    UNDER_WAY,
    GIVEN_UP,
    SETTLED
  }

  /** One put of several keys. */
  static final class Put {
    private final String prefix;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, Long> names = new HashMap<>();
    private State state = State.UNDER_WAY;

    private Put(String prefix) {
      this.prefix = prefix;
    }

    /** The name under which this put stores a key. */
    String name(String key) {
      return DoubtfulPuts.name(prefix, key, names.get(key));
    }
  }

  /** Puts that were given up, whose connection is still used. */
  record GivenUp(long connection, List<Put> puts) {}

  /** Keys whose plain names may be deleted and then used again. */
  record Plain(String prefix, List<String> keys) {
    /** The plain name of a key. */
    String name(String key) {
      return prefix + key;
    }
  }

  private volatile String prefix;
  private final Map<String, Long> renamed = new ConcurrentHashMap<>();

  // Guarded by this.
  private int kept;
  private final Map<String, Entry> entries = new HashMap<>();
  // The number of the latest name; never reused, not even after a change of the prefix.
  private long names = NONE;
  // Puts that were given up, on the connection of this number.
  private final List<Put> givenUp = new ArrayList<>();
  private long connection;
  private int givenUpKeys;

  /**
   * @param prefix of all names; ends with a colon
   */
  DoubtfulPuts(String prefix) {
    this.prefix = prefix;
  }

  String prefix() {
    return prefix;
  }

  /** The present name of a key at the instance. */
  String name(String key) {
    return name(prefix, key, renamed.isEmpty() ? null : renamed.get(key));
  }

  private static String name(String prefix, String key, Long name) {
    return name == null || name == NONE
        ? prefix + key
        : prefix.substring(0, prefix.length() - 1) + '.' + name + ':' + key;
  }

  /** A put of keys is about to be sent; must be given up or settled in every case. */
  synchronized Put begin(Collection<String> keys) {
    Put put = new Put(prefix);
    for (String key : keys) {
      Entry entry = entries.computeIfAbsent(key, Entry::new);
      if (entry.isOpen()) {
        rename(entry);
      }
      count(entry, entry.name, 1, 0);
      put.entries.put(key, entry);
      put.names.put(key, entry.name);
    }
    return put;
  }

  /** A put was given up, and its fate may still become known. */
  synchronized void giveUp(Put put) {
    if (put.state == State.UNDER_WAY) {
      put.state = State.GIVEN_UP;
      count(put, -1, 1);
    }
  }

  /**
   * A put has ended with a failure that leaves its fate open. It is settled by a later response on
   * its connection.
   *
   * @param number of the connection on which all of it was sent; negative: unknown
   */
  synchronized void fail(Put put, long number) {
    giveUp(put);
    if (put.state == State.SETTLED || number < 0 || !put.prefix.equals(prefix)) {
      return;
    }
    if (number > connection) {
      connection = number;
      forgetGivenUp();
    }
    if (number == connection && givenUpKeys <= MOST) {
      givenUp.add(put);
      givenUpKeys += put.names.size();
    }
  }

  private void forgetGivenUp() {
    givenUp.clear();
    givenUpKeys = 0;
  }

  /** A put can have no further effect. */
  synchronized void settle(Put put) {
    if (put.state != State.SETTLED) {
      boolean wasGivenUp = put.state == State.GIVEN_UP;
      put.state = State.SETTLED;
      count(put, wasGivenUp ? 0 : -1, wasGivenUp ? -1 : 0);
    }
  }

  /** The puts that a response to a command sent from now on settles. */
  synchronized GivenUp givenUp() {
    return new GivenUp(connection, List.copyOf(givenUp));
  }

  /** A command that was sent on their connection afterwards has been answered. */
  synchronized void settle(GivenUp some) {
    some.puts.forEach(this::settle);
    if (some.connection == connection) {
      givenUp.removeIf(put -> put.state == State.SETTLED);
      givenUpKeys = givenUp.stream().mapToInt(put -> put.names.size()).sum();
    }
  }

  /**
   * Keys are about to be deleted.
   *
   * @return the names to be deleted
   */
  synchronized List<String> invalidate(Collection<String> keys) {
    List<String> present = new ArrayList<>(keys.size());
    for (String key : keys) {
      present.add(name(key));
      Entry entry = entries.get(key);
      if (entry != null && entry.isOpen()) {
        rename(entry);
      }
    }
    return present;
  }

  private void rename(Entry entry) {
    int before = weight(entry);
    names++;
    entry.name = names;
    entry.underWay = 0;
    entry.givenUp = 0;
    renamed.put(entry.key, names);
    kept += weight(entry) - before;
  }

  private void count(Put put, int moreUnderWay, int moreGivenUp) {
    put.entries.forEach(
        (key, entry) -> {
          // Not after a change of the prefix, and not for a key that has its plain name back.
          if (entries.get(key) == entry) {
            count(entry, put.names.get(key), moreUnderWay, moreGivenUp);
          }
        });
  }

  private void count(Entry entry, long under, int moreUnderWay, int moreGivenUp) {
    int before = weight(entry);
    entry.count(under, moreUnderWay, moreGivenUp);
    kept += weight(entry) - before;
    if (!entry.isKept() && entry.plain() == 0) {
      entries.remove(entry.key);
    }
  }

  private static int weight(Entry entry) {
    return entry.isKept() ? 1 : 0;
  }

  /** Whether there are too many to track individually. */
  synchronized boolean tooMany() {
    return kept > MOST;
  }

  /** Whether there are so many that plain names should be given back. */
  synchronized boolean many() {
    return kept > MANY;
  }

  /** Keys whose plain name is no longer needed for a late value; none unless there are many. */
  synchronized Plain plain() {
    return new Plain(
        prefix,
        many()
            ? entries.values().stream()
                .filter(entry -> entry.name != NONE && entry.plain() == 0)
                .map(entry -> entry.key)
                .toList()
            : List.of());
  }

  /**
   * The plain names of keys were deleted: they are used again. Values under the other names are no
   * longer found.
   *
   * @param deleted part of the keys
   */
  synchronized void deleted(Plain plain, Collection<String> deleted) {
    if (!plain.prefix.equals(prefix)) {
      return;
    }
    for (String key : deleted) {
      Entry entry = entries.get(key);
      if (entry != null && entry.name != NONE && entry.plain() == 0) {
        entries.remove(key);
        renamed.remove(key);
        kept--;
      }
    }
  }

  /** Changes the prefix: no earlier put can be found. */
  synchronized void beginAnew(String newPrefix) {
    prefix = newPrefix;
    entries.clear();
    renamed.clear();
    kept = 0;
    forgetGivenUp();
  }
}
