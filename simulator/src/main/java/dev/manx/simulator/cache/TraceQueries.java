/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/**
 * Requests of a recorded trace in order, repeated from the start when it ends. The reader of the
 * trace assigns dense object numbers by backend.
 */
public final class TraceQueries implements QuerySource {
  private final int[][] requests;
  private final int[][] bytes;
  private int at;

  /**
   * Plays a trace.
   *
   * @param requests each a sequence of groups: backend, number of queries, then one object per
   *     query; the complement ({@code ~object}) marks an object that must not be cached
   * @param bytes by backend and object
   */
  public TraceQueries(int[][] requests, int[][] bytes) {
    if (requests.length == 0) {
      throw new IllegalArgumentException("the trace is empty");
    }
    this.requests = requests;
    this.bytes = bytes;
  }

  /** Returns a copy that starts from the beginning, for another run. */
  public TraceQueries again() {
    return new TraceQueries(requests, bytes);
  }

  @Override
  public void next(Batch batch) {
    int[] request = requests[at];
    at = (at + 1) % requests.length;
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
