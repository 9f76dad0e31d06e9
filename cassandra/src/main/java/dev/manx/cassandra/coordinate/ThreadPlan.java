/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.copy.Flight;
import dev.manx.cassandra.hold.RequestHolds;
import dev.manx.cassandra.latency.ReadTimes;
import dev.manx.policy.Request;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;

/**
 * The plan of the request that the present thread works on. Cassandra chooses all replicas of a
 * request and sends all its reads on the native-transport thread that runs the query handler, so a
 * thread-local carries the plan to the snitch, the outbound filter and the read stage. Reused from
 * request to request; confined to its thread.
 */
public final class ThreadPlan {
  /** A thread that planned a wider request than this does not keep its arrays. */
  private static final int KEPT_READS = 512;

  // One request in so many; a power of two.
  static final int SAMPLE = 64;
  // Of these, one in so many; a power of two.
  private static final int STOCKS = 4;

  private static final ThreadLocal<ThreadPlan> CURRENT = ThreadLocal.withInitial(ThreadPlan::new);

  private Request request = new Request();
  private final RandomGenerator random = new SplittableRandom();
  private Token[] tokens = new Token[16];
  private EndpointsForToken[] sorted = new EndpointsForToken[16];
  private int[] stock = new int[48];
  private int[] sends = new int[16];
  private long requestId;
  private boolean open;
  private boolean acting;
  private boolean paged;
  private boolean home;
  private boolean resending;
  private int selectCursor;
  private int sendCursor;
  private int requests;
  private ReadTimes times;
  private Flight flight;
  private RequestHolds holds;

  private ThreadPlan() {}

  /** The calling thread's own. */
  public static ThreadPlan current() {
    return CURRENT.get();
  }

  /** The request, in filling or planned. */
  public Request request() {
    return request;
  }

  /** The thread's randomness. */
  public RandomGenerator random() {
    return random;
  }

  /** Whether this request of the thread is one of those that are followed while all is calm. */
  boolean isSampled() {
    return (++requests & SAMPLE - 1) == 0;
  }

  /**
   * Whether this request's reads go where stock sends them whatever else is decided, so that it
   * stays known how far away the other nodes are. All of these are followed.
   */
  boolean isStocks() {
    return (requests & SAMPLE * STOCKS - 1) == 0;
  }

  /**
   * Notes the token of the read just added to the request.
   *
   * @param stocks all its replicas in stock's order, also those that are not in the request
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
   * All replicas of a read as the stock snitch sorted them when the request was planned. Given
   * once, when Cassandra first asks; when it asks again that order may be seconds old.
   *
   * @return null if it was given before
   */
  EndpointsForToken takeStockOrder(int read) {
    EndpointsForToken taken = sorted[read];
    sorted[read] = null;
    return taken;
  }

  /** Whether the plan left a read's replicas in stock's order. */
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

  /** Opens the plan to the hooks; {@code act} is false in shadow mode. */
  void open(long id, boolean act) {
    requestId = id;
    acting = act;
    selectCursor = 0;
    sendCursor = 0;
    paged = false;
    if (sends.length < request.reads()) {
      sends = new int[tokens.length];
    }
    Arrays.fill(sends, 0, request.reads(), 0);
    open = true;
  }

  /** Closes it; the thread works for no request until the next {@code open}. */
  void close() {
    open = false;
    acting = false;
    if (request.reads() > KEPT_READS) {
      request = new Request();
      tokens = new Token[16];
      sorted = new EndpointsForToken[16];
      stock = new int[48];
      sends = new int[16];
    } else {
      Arrays.fill(tokens, 0, request.reads(), null);
      Arrays.fill(sorted, 0, request.reads(), null);
      // Lets go of the keys.
      request.begin(0, random, 0);
    }
  }

  /** Whether a planned request is being worked on. */
  public boolean isOpen() {
    return open;
  }

  /** Whether its decisions are acted upon. */
  public boolean isActing() {
    return acting;
  }

  /** Notes that stock reads the keys of this request one after another. */
  void paged() {
    paged = true;
  }

  /** Whether it does; a read that waits would hold up the next ones. */
  boolean isPaged() {
    return paged;
  }

  /** Whether the reads of the statement in work that this node can serve stay here. */
  public boolean staysHome() {
    return home;
  }

  /** Sets it; false when the statement has ended. */
  void stayHome(boolean reads) {
    home = reads;
  }

  /** Ties this request's reads together in a replica's queue. */
  public long requestId() {
    return requestId;
  }

  /** The read of a token whose replicas are being chosen; -1 if it is not planned. */
  public int readToSelect(Token token) {
    int read = find(token, selectCursor);
    selectCursor = read < 0 ? selectCursor : read + 1;
    return read;
  }

  /** The read of a token that is being sent; -1 if it is not planned. */
  public int readToSend(Token token) {
    // A read may go to several replicas and be sent again on speculation, so the cursor stays on
    // it.
    int read = find(token, sendCursor);
    sendCursor = read < 0 ? sendCursor : read;
    return read;
  }

  // Cassandra asks in the order of the keys, so the first look nearly always hits.
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

  /** The times of the multiget in work whose paging was taken off; null if there is none. */
  public ReadTimes times() {
    return times;
  }

  /** Sets them; null when the request has ended. */
  void times(ReadTimes ofUnpaged) {
    times = ofUnpaged;
  }

  /** The reads of the request that may be copied; null if none may. */
  public Flight flight() {
    return flight;
  }

  /** Sets them; null when the request has ended. */
  void flight(Flight ofRequest) {
    flight = ofRequest;
  }

  /**
   * Notes that a planned read is about to go to one more replica.
   *
   * @return whether its consistency level asks for that; if not, it is a second attempt or a repair
   */
  public boolean isFirstAttempt(int read) {
    return sends[read]++ < request.contacts(read);
  }

  /** What the held reads of the request have in common. */
  public RequestHolds holds() {
    if (holds == null) {
      holds = new RequestHolds();
    }
    return holds;
  }

  /** The request has its result, or its error; reads that are still held need not be sent. */
  void endHolds() {
    if (holds != null) {
      holds.over();
      holds = null;
    }
  }

  /** Notes that a message of a planned read goes out. */
  public void sent(int read, long messageId, long nowNanos) {
    if (times != null) {
      times.sent(read, request.contacts(read), messageId, nowNanos);
    }
  }

  /** Whether the outbound filter is sending its tagged copy of a message just now. */
  public boolean isResending() {
    return resending;
  }

  /** Marks that it does. */
  public void resending(boolean on) {
    resending = on;
  }
}
