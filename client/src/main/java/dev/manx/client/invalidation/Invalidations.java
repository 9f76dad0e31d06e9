/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.client.invalidation.InvalidationMessage.Kind;
import dev.manx.client.log.SparseLog;
import dev.manx.client.timer.Timer;
import dev.manx.policy.NanoClock;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Tells the other servers of an application which keys to forget, and carries out what they tell.
 * What may have been missed empties the backends that are shared. Any thread.
 */
public final class Invalidations implements AutoCloseable {
  /* Invalidations of a server are numbered, and each second it says which number was its last: who
   * missed one notices it with the next message or within a second. The channel brings a server its own
   * beats too. As long as they come back the subscription works, whatever sockets say; when they have
   * not come for five seconds, or the channel says that it broke, everything held is suspect. It is
   * forgotten at once, every five seconds while that lasts, and once more when beats come back, so no
   * value outlives its invalidation by more than some five seconds. A server that falls silent without
   * a farewell may have been cut off while it invalidated: everything is forgotten once, and again when
   * it returns with other numbers. Each server waits for that by a random time more: the backends see
   * the misses of all servers one after the other, and a server that was merely paused returns before
   * most have forgotten anything. A server that was paused itself finds old times of all others; what
   * they sent meanwhile waits in its sockets, so it looks again after two seconds. Of a server with a
   * newer format only the numbers can be read: when they have grown, everything is forgotten, at most
   * every five seconds, however much it invalidates. */
  static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** What a server that was paused gives the others, and itself, to be heard. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Other servers that are followed; one more makes the one silent for longest be forgotten. */
  static final int MOST_PEERS = Peers.MOST;

  /** The backends' side: forgets here, and tells no other server. Does not throw. */
  public interface Target {
    /** Forgets keys, given as text. */
    void forget(List<String> keys);

    /** Forgets all keys. */
    void forgetAll();
  }

  private final InvalidationChannel channel;
  private final Announcements announcements;
  private final Timer timer;
  private final NanoClock clock;
  private final long self;
  private final SparseLog log = new SparseLog(Invalidations.class);
  private final SparseLog formatLog = new SparseLog(Invalidations.class);

  // Guarded by this.
  private final Map<String, Target> targets = new HashMap<>();
  private final Peers peers;
  private boolean connected;
  private long heardSelfNanos;
  private long beatNanos;
  private boolean graceGiven;
  private long forgotNanos;
  private long received;
  private long gaps;
  private long breaks;
  private long forgotten;
  private long unread;
  // Formats of messages that were not understood.
  private final Set<Byte> formats = new HashSet<>();
  // Why everything is to be forgotten soon; null if it is not.
  private String owed;
  private boolean closed;

  /**
   * Not connected yet.
   *
   * @param timer for beats alone: what else it runs must not make this server look silent
   * @param self a number that no other server has
   */
  public Invalidations(InvalidationChannel channel, Timer timer, NanoClock clock, long self) {
    this.channel = channel;
    announcements = new Announcements(channel, self);
    this.timer = timer;
    this.clock = clock;
    this.self = self;
    heardSelfNanos = clock.nanoTime();
    forgotNanos = heardSelfNanos;
    beatNanos = heardSelfNanos;
    peers = new Peers(new SplittableRandom(self));
  }

  /** Opens the channel and begins to beat. */
  public void start() {
    channel.open(
        new InvalidationChannel.Listener() {
          @Override
          public void received(byte[] message) {
            Invalidations.this.received(message);
          }

          @Override
          public void broken(String why) {
            lost(why);
          }
        });
    repeat();
  }

  private void repeat() {
    try {
      beat();
    } catch (Throwable e) {
      log.warn("a beat failed; the next one comes", e);
    }
    try {
      timer.after(BEAT_NANOS, this::repeat);
    } catch (RejectedExecutionException e) {
      // The cache is closed.
    }
  }

  /** A backend's keys are shared from now on. */
  public synchronized void add(String backend, Target target) {
    targets.put(backend, target);
  }

  /** They are not any more. */
  public synchronized void remove(String backend) {
    targets.remove(backend);
  }

  /**
   * Tells the others to forget keys.
   *
   * @param keys as text; empty for all of them
   * @return completes exceptionally if the channel did not take it: the others then forget
   *     everything as soon as they hear from this server
   */
  public CompletableFuture<Void> announce(String backend, List<String> keys) {
    return announcements.forget(backend, keys);
  }

  /**
   * Tells the others to forget all keys, because one that was invalidated has no text.
   *
   * @param why it has none
   * @return as {@link #announce}
   */
  public CompletableFuture<Void> announceUnwritten(String backend, Throwable why) {
    return announcements.forgetUnwritten(backend, why);
  }

  /** Says that this server is there, and looks who is not. */
  void beat() {
    String why = null;
    synchronized (this) {
      if (closed) {
        return;
      }
      long now = clock.nanoTime();
      forgivePause(now);
      boolean due = connected || now - forgotNanos >= SILENT_NANOS;
      if (due && now - heardSelfNanos >= SILENT_NANOS) {
        breaks += connected ? 1 : 0;
        connected = false;
        why = "no connection to the other servers";
      }
      int silent = peers.giveUp(now);
      if (silent > 0) {
        gaps += silent;
        why = silent + " servers fell silent";
      }
      if (why == null && now - forgotNanos >= SILENT_NANOS) {
        why = owed;
      }
    }
    if (why != null) {
      forgetAll(why);
    }
    CompletableFuture<Void> unused = announcements.send(Kind.BEAT, "", List.of());
  }

  /** If this process stood still, old times say nothing yet; once until it hears itself again. */
  private void forgivePause(long now) {
    boolean paused = now - beatNanos >= 2 * BEAT_NANOS;
    beatNanos = now;
    if (!paused || graceGiven) {
      return;
    }
    graceGiven = true;
    heardSelfNanos = Math.max(heardSelfNanos - now, GRACE_NANOS - SILENT_NANOS) + now;
    peers.forgive(GRACE_NANOS, now);
  }

  private void lost(String why) {
    synchronized (this) {
      if (closed) {
        return;
      }
      breaks += connected ? 1 : 0;
      connected = false;
    }
    forgetAll(why);
  }

  private void received(byte[] bytes) {
    Optional<InvalidationMessage.Head> newer = InvalidationMessage.Head.newer(bytes);
    if (newer.isPresent()) {
      receivedNewer(newer.get());
      return;
    }
    InvalidationMessage message;
    try {
      message = InvalidationMessage.decode(bytes);
    } catch (IOException e) {
      notUnderstood(bytes.length == 0 ? 0 : bytes[0], e);
      return;
    }
    Target target = null;
    String why = null;
    synchronized (this) {
      if (closed) {
        return;
      }
      long now = clock.nanoTime();
      if (message.sender() == self) {
        heardSelfNanos = now;
        graceGiven = false;
        why = connected ? null : "connected to the other servers";
        connected = true;
      } else if (message.kind() == Kind.FAREWELL) {
        if (peers.knows(message.sender())) {
          // Its last number says whether one was missed that no later message will tell of.
          why = peers.follow(message, false, now);
          peers.remove(message.sender());
        }
      } else {
        boolean invalidates = message.kind() != Kind.BEAT;
        why = peers.follow(message, invalidates, now);
        target = invalidates ? targets.get(message.backend()) : null;
        received += invalidates ? 1 : 0;
      }
    }
    if (why != null) {
      forgetAll(why);
    } else if (target != null) {
      carryOut(message, target);
    }
  }

  /** What it invalidated cannot be read, but how much it did. */
  private synchronized void receivedNewer(InvalidationMessage.Head head) {
    if (closed) {
      return;
    }
    unread++;
    if (formats.add(head.format())) {
      formatLog.warn(
          "a server sends messages of format "
              + head.format()
              + ", which is newer: whatever it invalidates empties the shared backends here",
          null);
    }
    if (peers.advanced(head.sender(), head.number(), clock.nanoTime())) {
      owed = "a server with a newer format of messages invalidated";
    }
    if (head.farewell()) {
      peers.remove(head.sender());
    }
  }

  /** Nothing else can be missed unseen: servers of this format number what they send. */
  private void notUnderstood(byte format, IOException why) {
    boolean first;
    synchronized (this) {
      unread++;
      first = formats.add(format) && !closed;
    }
    if (first) {
      forgetAll("a message that is not understood: " + why.getMessage());
    }
  }

  private static void carryOut(InvalidationMessage message, Target target) {
    if (message.kind() == Kind.ALL) {
      target.forgetAll();
    } else {
      target.forget(message.keys());
    }
  }

  private void forgetAll(String why) {
    List<Target> all;
    synchronized (this) {
      forgotten++;
      owed = null;
      forgotNanos = clock.nanoTime();
      all = List.copyOf(targets.values());
    }
    log.warn("shared backends are emptied: " + why, null);
    all.forEach(Target::forgetAll);
  }

  /** A snapshot of its counts. */
  public InvalidationStats stats() {
    // Before the lock: a channel may deliver a message while it takes one.
    long sent = announcements.sent();
    long notSent = announcements.notSent();
    long coarse = announcements.coarse();
    synchronized (this) {
      return new InvalidationStats(
          sent,
          notSent,
          received,
          gaps + peers.gaps(),
          breaks,
          forgotten,
          coarse,
          unread,
          peers.size(),
          connected);
    }
  }

  /** Says farewell and closes the channel. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    CompletableFuture<Void> unused =
        announcements
            .send(Kind.FAREWELL, "", List.of())
            .whenComplete((done, failure) -> channel.close());
  }
}
