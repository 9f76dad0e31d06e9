/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;

/**
 * Requests of a recorded trace in order, from a given one on, repeated from the start when it ends.
 * The reader of the trace assigns dense object numbers by backend.
 */
public final class TraceQueries implements QuerySource {
  private final int[][] requests;
  private final int[][] bytes;
  private int next;

  /**
   * Plays a trace.
   *
   * @param requests each a sequence of groups: backend, number of queries, then one object per
   *     query; the complement ({@code ~object}) marks an object that must not be cached
   * @param bytes by backend and object
   */
  public TraceQueries(int[][] requests, int[][] bytes) {
    this(requests, bytes, 0);
  }

  private TraceQueries(int[][] requests, int[][] bytes, int first) {
    if (requests.length == 0) {
      throw new IllegalArgumentException("the trace is empty");
    }
    this.requests = requests;
    this.bytes = bytes;
    this.next = first;
  }

  /** Returns a copy for a run, which starts from a request drawn for the run's seed. */
  TraceQueries of(Streams streams) {
    return new TraceQueries(
        requests, bytes, streams.generator(Purpose.KEYS, 0).nextInt(requests.length));
  }

  /** Number of requests. */
  public int requests() {
    return requests.length;
  }

  @Override
  public void next(Batch batch) {
    int[] request = requests[next];
    next = (next + 1) % requests.length;
    for (int i = 0; i < request.length; ) {
      batch.backend(request[i]);
      int end = i + 2 + request[i + 1];
      for (i += 2; i < end; i++) {
        int object = request[i];
        batch.query(object < 0 ? ~object : object, object >= 0);
      }
    }
  }

  @Override
  public int objects(int backend) {
    return bytes[backend].length;
  }

  @Override
  public int bytes(int backend, int object) {
    return bytes[backend][object];
  }
}
