/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.Arrays;

/** The queries of one request, backend by backend; reused. */
public final class Batch {
  private int[] backends = new int[32];
  private int[] ends = new int[32];
  private int[] objects = new int[512];
  private boolean[] cacheable = new boolean[512];
  private int groups;
  private int queries;

  /** Clears the batch. */
  public void clear() {
    groups = 0;
    queries = 0;
  }

  /** Begins the queries to a backend. */
  public void backend(int backend) {
    if (groups == backends.length) {
      backends = Arrays.copyOf(backends, groups * 2);
      ends = Arrays.copyOf(ends, groups * 2);
    }
    backends[groups] = backend;
    ends[groups++] = queries;
  }

  /** Adds a query for an object to the last backend. */
  public void query(int object, boolean mayBeCached) {
    if (queries == objects.length) {
      objects = Arrays.copyOf(objects, queries * 2);
      cacheable = Arrays.copyOf(cacheable, queries * 2);
    }
    objects[queries] = object;
    cacheable[queries++] = mayBeCached;
    ends[groups - 1] = queries;
  }

  int groups() {
    return groups;
  }

  int backendOf(int group) {
    return backends[group];
  }

  int begin(int group) {
    return group == 0 ? 0 : ends[group - 1];
  }

  int end(int group) {
    return ends[group];
  }

  int object(int query) {
    return objects[query];
  }

  boolean cacheable(int query) {
    return cacheable[query];
  }

  int queries() {
    return queries;
  }
}
