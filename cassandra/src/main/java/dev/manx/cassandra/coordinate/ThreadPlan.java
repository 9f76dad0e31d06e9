/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.copy.Flight;
import dev.manx.cassandra.hold.RequestHolds;
import dev.manx.cassandra.latency.ReadTimes;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.schema.TableId;

/**
 * The plan of the calling thread's current request. Cassandra chooses all replicas of a request and
 * sends all its reads on the native-transport thread that runs the query handler, so a thread-local
 * passes the plan to the snitch, the outbound filter and the read stage. Reused for later requests;
 * confined to its thread.
 */
public final class ThreadPlan {
  /** Each thread keeps the arrays of requests of up to this many reads on any node. */
  public static final int LEAST_KEPT_READS = 32;

  /** Threads keep the arrays of requests of up to this many reads if the heap has room for them. */
  public static final int MOST_KEPT_READS = 512;

  /** A thread that planned a wider request than this does not keep the arrays. */
  private static volatile int keptReads = MOST_KEPT_READS;

  // Of the requests followed while all is calm, one in this many; a power of two, and a multiple of
  // Sample.PLANNED: only the reads of planned requests are tracked.
  private static final int STOCKS = 4;

  private static final ThreadLocal<ThreadPlan> CURRENT = ThreadLocal.withInitial(ThreadPlan::new);

  private Request request = new Request();
  private final RandomGenerator random = new SplittableRandom();
  private Token[] tokens = new Token[16];
  private EndpointsForToken[] sorted = new EndpointsForToken[16];
  private int[] stock = new int[48];
  private Attempts attempts = new Attempts();
  private TableId table;
  private long requestId;
  private boolean open;
  private boolean acting;
  private boolean followed;
  private boolean paged;
  private boolean home;
  private boolean together;
  private int keptHome;
  private boolean resending;
  private int selectCursor;
  private int sendCursor;
  private int requests;
  private int represented;
  private int samples;
  private boolean stocks;
  private ReadTimes times;
  private Flight flight;
  private RequestHolds holds;

  private ThreadPlan() {}

  /** The calling thread's plan. */
  public static ThreadPlan current() {
    return CURRENT.get();
  }

  /** Sets for how many reads each thread keeps the arrays of its plans. */
  public static void keepReads(int most) {
    keptReads = most;
  }

  /** The request, being filled or planned. */
  public Request request() {
    return request;
  }

  /** The thread's randomness. */
  public RandomGenerator random() {
    return random;
  }

  /**
   * Draws whether this request of the thread is in the sample followed while all is calm; called
   * for requests that can be planned.
   */
  boolean isSampled(Sample sample, NanoClock clock) {
    boolean taken = sample.takes(++requests, clock);
    stocks = false;
    if (taken) {
      represented = requests;
      requests = 0;
      stocks = (++samples & STOCKS - 1) == 0;
    }
    return taken;
  }

  /**
   * Draws whether the request drawn last is planned.
   *
   * @param width its number of keys
   */
  boolean plansSampled(Sample sample, int width) {
    return sample.plans(samples, width, random);
  }

  /**
   * Number of requests that the one drawn last represents.
   *
   * @param acted whether Manx acts on it, so that those that go where stock sends them are left
   *     out; then rounded at random
   */
  int weight(boolean acted) {
    int others = STOCKS - 1;
    return acted ? (represented * STOCKS + random.nextInt(others)) / others : represented;
  }

  /**
   * Whether this request's reads go where stock sends them regardless of other decisions, so that
   * the distance of other nodes stays known. Each such request that is not wide is planned.
   */
  boolean isStocks() {
    return stocks;
  }

  /** Sets the table that all reads of the request are of. */
  void table(TableId read) {
    table = read;
  }

  /**
   * Records the token of the read just added to the request.
   *
   * @param stocks all its replicas in stock's order, including those not in the request
   */
  void token(int read, Token token, EndpointsForToken stocks) {
    if (read == tokens.length) {
      tokens = Arrays.copyOf(tokens, read * 2);
      sorted = Arrays.copyOf(sorted, read * 2);
    }
    tokens[read] = token;
    sorted[read] = stocks;
  }

  /**
   * All replicas of a read as sorted by the stock snitch when the request was planned. Returned
   * once, on Cassandra's first call; on a later call that order may be seconds old.
   *
   * @return null if it was returned before
   */
  EndpointsForToken takeStockOrder(int read) {
    EndpointsForToken taken = sorted[read];
    sorted[read] = null;
    return taken;
  }

  /** Whether the plan kept a read's replicas in stock's order. */
  boolean keepsStockOrder(int read) {
    int start = request.replicaStart(read);
    int end = start + request.replicaCount(read);
    return Arrays.equals(request.replicas(), start, end, stock, start, end);
  }

  /** A copy of the request's replicas in stock order, valid until the next call. */
  int[] stockFirst(Request filled) {
    int total = filled.reads() == 0 ? 0 : filled.replicaStart(filled.reads());
    if (stock.length < total) {
      stock = new int[Math.max(total, stock.length * 2)];
    }
    System.arraycopy(filled.replicas(), 0, stock, 0, total);
    return stock;
  }

  /**
   * Opens the plan to the hooks.
   *
   * @param aside whether requests are left to stock, so that this one is only followed
   */
  void open(Engine engine, long id, boolean aside) {
    flight = aside ? null : engine.copier().begin(engine, request);
    open(id, engine.acting(), aside);
  }

  /**
   * Opens the plan to the hooks.
   *
   * @param act whether its decisions take effect; false in shadow mode
   * @param follow whether its reads are only followed, as a sample of requests left to stock
   */
  void open(long id, boolean act, boolean follow) {
    requestId = id;
    acting = act && !follow;
    followed = follow;
    selectCursor = 0;
    sendCursor = 0;
    paged = false;
    attempts.begin(request, tokens.length, stock.length);
    open = true;
  }

  /** Closes the plan; the thread has no request until the next {@code open}. */
  void close() {
    open = false;
    acting = false;
    followed = false;
    // Narrow requests need not know the limit.
    if (request.reads() > LEAST_KEPT_READS && request.reads() > keptReads) {
      request = new Request();
      tokens = new Token[16];
      sorted = new EndpointsForToken[16];
      stock = new int[48];
      attempts = new Attempts();
    } else {
      Arrays.fill(tokens, 0, request.reads(), null);
      Arrays.fill(sorted, 0, request.reads(), null);
      // Releases the keys.
      request.begin(0, random, 0);
    }
  }

  /** Whether a planned request is in progress. */
  public boolean isOpen() {
    return open;
  }

  /** Whether its decisions take effect. */
  public boolean isActing() {
    return acting;
  }

  /**
   * Whether its reads are left as they are in any mode: untagged, without a hold or a copy. They
   * are a sample of requests left to stock, or were planned before Manx was switched on.
   */
  public boolean isOnlyFollowed(Engine engine) {
    return followed || engine.acting() && !acting;
  }

  /** Records that stock reads the keys of this request one after another. */
  void paged() {
    paged = true;
  }

  /** Whether stock does so; a read that waits would delay the next ones. */
  boolean isPaged() {
    return paged;
  }

  /** Whether the current statement's reads that this node can serve stay here. */
  public boolean staysHome() {
    return home;
  }

  /**
   * Sets whether they stay; false when the statement has ended.
   *
   * @param sentTogether whether its keys are sent together, so that a read at home delays others
   */
  void stayHome(boolean reads, boolean sentTogether) {
    home = reads;
    together = sentTogether;
    keptHome = 0;
  }

  /** Records that the keys of the current statement are sent together: its paging is removed. */
  void sendTogether() {
    together = true;
  }

  /** Whether its keys are sent together. */
  boolean sendsTogether() {
    return together;
  }

  /**
   * Keeps a read of the statement at home, unless as many have been kept of keys sent together.
   *
   * @param most number of reads to keep; none if it is 0
   */
  boolean keepHome(int most) {
    if (most <= 0 || together && keptHome >= most) {
      return false;
    }
    keptHome++;
    return true;
  }

  /** Gives this request's reads a common id in a replica's queue. */
  public long requestId() {
    return requestId;
  }

  /** The planned read of a token whose replicas are being chosen; -1 for none. */
  public int readToSelect(Token token) {
    int read = find(token, selectCursor);
    selectCursor = read < 0 ? selectCursor : read + 1;
    return read;
  }

  /**
   * The planned read that a command is being sent for; -1 for none. Its thread may also read a role
   * or a permission, with the same token in another table.
   */
  public int readToSend(SinglePartitionReadCommand command) {
    if (!command.metadata().id.equals(table)) {
      return -1;
    }
    // A read may go to several replicas and be sent again speculatively, so the cursor stays on it.
    int read = find(command.partitionKey().getToken(), sendCursor);
    sendCursor = read < 0 ? sendCursor : read;
    return read;
  }

  // Cassandra processes keys in order, so the first comparison nearly always matches.
  private int find(Token token, int start) {
    int reads = request.reads();
    for (int i = 0; i < reads; i++) {
      int read = start + i < reads ? start + i : start + i - reads;
      if (token.equals(tokens[read])) {
        return read;
      }
    }
    return -1;
  }

  /** The times of the current multiget whose paging was removed; null if there is none. */
  public ReadTimes times() {
    return times;
  }

  /** Sets these times; null when the request has ended. */
  void times(ReadTimes ofUnpaged) {
    times = ofUnpaged;
  }

  /** The reads of the request that may be copied; null for none. */
  public Flight flight() {
    return flight;
  }

  /** Sets these reads; null when the request has ended. */
  void flight(Flight ofRequest) {
    flight = ofRequest;
  }

  /** Where its reads have gone so far. */
  Attempts attempts() {
    return attempts;
  }

  /** The state shared by the held reads of the request. */
  public RequestHolds holds() {
    if (holds == null) {
      holds = new RequestHolds();
    }
    return holds;
  }

  /** Records that the request has its result or its error; reads still held need not be sent. */
  void endHolds() {
    if (holds != null) {
      holds.over();
      holds = null;
    }
  }

  /**
   * Records that the message of the attempt just recorded is being sent, or the own read begins.
   */
  public void sent(int read, long messageId, long nowNanos) {
    attempts.sent(read, messageId, nowNanos);
    if (times != null) {
      times.sent(read, request.contacts(read), messageId, nowNanos);
    }
  }

  /** Whether the outbound filter is now sending its tagged copy of a message. */
  public boolean isResending() {
    return resending;
  }

  /** Sets whether it is. */
  public void resending(boolean on) {
    resending = on;
  }
}
