/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import java.util.Arrays;

/** The reads of one request to come, in arrays that are reused. Confined to one thread. */
public final class Draw {
  /** It matters not which coordinator gets the request. */
  public static final int ANY = -1;

  private int reads;
  private boolean large;
  private boolean paged;
  private int coordinator;
  private long[] hashes = new long[16];
  private int[] homes = new int[16];
  private int[] bytes = new int[16];
  private int[][] replicas = new int[16][];
  private long[] forecasts = new long[16];
  private long[] services = new long[16];

  /** Forgets the last request. */
  void clear() {
    reads = 0;
    large = false;
    paged = true;
    coordinator = ANY;
  }

  /**
   * Adds a read.
   *
   * @param keyHash well-mixed hash of its key
   * @param home the first of its replicas; the others are the nodes that follow
   * @param valueBytes size of its value
   * @param isLarge whether the value is large
   */
  void add(long keyHash, int home, int valueBytes, boolean isLarge) {
    if (reads == hashes.length) {
      hashes = Arrays.copyOf(hashes, reads * 2);
      homes = Arrays.copyOf(homes, reads * 2);
      bytes = Arrays.copyOf(bytes, reads * 2);
      replicas = Arrays.copyOf(replicas, reads * 2);
      forecasts = Arrays.copyOf(forecasts, reads * 2);
      services = Arrays.copyOf(services, reads * 2);
    }
    hashes[reads] = keyHash;
    homes[reads] = home;
    replicas[reads] = null;
    services[reads] = 0;
    bytes[reads++] = valueBytes;
    large |= isLarge;
  }

  /**
   * Adds a read of which more is known than a size and a home.
   *
   * @param keyHash well-mixed hash of its key
   * @param itsReplicas best first, at least one; not copied
   * @param valueBytes size of its value
   * @param isLarge whether the value is large
   * @param forecastNanos service time as its coordinator forecasts it
   * @param serviceNanos service time at speed 1, without a miss; at least 1
   */
  public void add(
      long keyHash,
      int[] itsReplicas,
      int valueBytes,
      boolean isLarge,
      long forecastNanos,
      long serviceNanos) {
    add(keyHash, itsReplicas[0], valueBytes, isLarge);
    replicas[reads - 1] = itsReplicas;
    forecasts[reads - 1] = forecastNanos;
    services[reads - 1] = serviceNanos;
  }

  /** Forgets the last request; who gets the next, and whether its driver pages it, is known. */
  public void begin(int itsCoordinator, boolean isPaged) {
    clear();
    coordinator = itsCoordinator;
    paged = isPaged;
  }

  /**
   * Whether the driver asks for the request page by page; usual, for it is the drivers' default.
   */
  public boolean paged() {
    return paged;
  }

  /** The coordinator that gets the request, or {@link #ANY}. */
  public int coordinator() {
    return coordinator;
  }

  /** The replicas of a read, best first; null if they are its home and the nodes that follow. */
  public int[] replicas(int read) {
    return replicas[read];
  }

  /** Service time at speed 1 without a miss; 0 if the model draws it by the size. */
  public long serviceNanos(int read) {
    return services[read];
  }

  /** Forecast service time; only where {@link #serviceNanos} is above 0. */
  public long forecastNanos(int read) {
    return forecasts[read];
  }

  /** Number of reads. */
  public int reads() {
    return reads;
  }

  /** Whether one of the values is large. */
  public boolean large() {
    return large;
  }

  /** Hash of a read's key. */
  public long keyHash(int read) {
    return hashes[read];
  }

  /** The node that is first among a read's replicas. */
  public int home(int read) {
    return homes[read];
  }

  /** Size of a read's value. */
  public int bytes(int read) {
    return bytes[read];
  }
}
