/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import java.util.Arrays;

/** The reads of the next request, in reused arrays. Confined to one thread. */
public final class Draw {
  /** Any coordinator may get the request. */
  public static final int ANY = -1;

  private int reads;
  private boolean large;
  private boolean paged;
  private boolean staysPaged;
  private int coordinator;
  private long[] hashes = new long[16];
  private int[] homes = new int[16];
  private int[] bytes = new int[16];
  private int[][] replicas = new int[16][];
  private long[] forecasts = new long[16];
  private long[] services = new long[16];
  private int[] contacts = new int[16];
  private int[] othersFrom = new int[16];
  private int others;
  private long[] otherServices = new long[16];

  /** Clears the last request. */
  void clear() {
    reads = 0;
    others = 0;
    large = false;
    paged = true;
    staysPaged = false;
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
      reserve(reads * 2);
    }
    hashes[reads] = keyHash;
    homes[reads] = home;
    replicas[reads] = null;
    services[reads] = 0;
    contacts[reads] = 1;
    bytes[reads++] = valueBytes;
    large |= isLarge;
  }

  /**
   * Adds a read with more than a size and a home.
   *
   * @param keyHash well-mixed hash of its key
   * @param itsReplicas best first, at least one; not copied
   * @param valueBytes size of its value
   * @param isLarge whether the value is large
   * @param forecastNanos service time forecast by its coordinator, without errors
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

  /**
   * Sends the last read to several replicas; it ends when all of them have answered, as at a
   * consistency level above {@code ONE}. At most once for each read.
   *
   * @param replicasAsked at least 1; limited to the number of replicas
   */
  public void asks(int read, int replicasAsked) {
    contacts[read] = replicasAsked;
    othersFrom[read] = others;
    others += replicasAsked - 1;
    if (otherServices.length < others) {
      otherServices = Arrays.copyOf(otherServices, others * 2);
    }
    Arrays.fill(otherServices, othersFrom[read], others, 0);
  }

  /**
   * Sets the service time of the last read at another of its replicas.
   *
   * @param rank of the replica among those asked, from 1
   * @param serviceNanos at speed 1, without a miss; at least 1
   */
  public void otherService(int read, int rank, long serviceNanos) {
    otherServices[othersFrom[read] + rank - 1] = serviceNanos;
  }

  /** Becomes equal to another draw, which may then change. */
  public void copy(Draw other) {
    reads = other.reads;
    large = other.large;
    paged = other.paged;
    staysPaged = other.staysPaged;
    coordinator = other.coordinator;
    others = other.others;
    if (hashes.length < reads) {
      reserve(reads);
    }
    System.arraycopy(other.hashes, 0, hashes, 0, reads);
    System.arraycopy(other.homes, 0, homes, 0, reads);
    System.arraycopy(other.bytes, 0, bytes, 0, reads);
    System.arraycopy(other.replicas, 0, replicas, 0, reads);
    System.arraycopy(other.forecasts, 0, forecasts, 0, reads);
    System.arraycopy(other.services, 0, services, 0, reads);
    System.arraycopy(other.contacts, 0, contacts, 0, reads);
    System.arraycopy(other.othersFrom, 0, othersFrom, 0, reads);
    if (otherServices.length < others) {
      otherServices = new long[others];
    }
    System.arraycopy(other.otherServices, 0, otherServices, 0, others);
  }

  private void reserve(int length) {
    hashes = Arrays.copyOf(hashes, length);
    homes = Arrays.copyOf(homes, length);
    bytes = Arrays.copyOf(bytes, length);
    replicas = Arrays.copyOf(replicas, length);
    forecasts = Arrays.copyOf(forecasts, length);
    services = Arrays.copyOf(services, length);
    contacts = Arrays.copyOf(contacts, length);
    othersFrom = Arrays.copyOf(othersFrom, length);
  }

  /** Clears the last request and sets the next one's coordinator and paging. */
  public void begin(int itsCoordinator, boolean isPaged) {
    clear();
    coordinator = itsCoordinator;
    paged = isPaged;
  }

  /** Whether the driver requests pages; true is usual, because it is the drivers' default. */
  public boolean paged() {
    return paged;
  }

  /** Sets whether a paged request stays paged with Manx. */
  public void staysPaged(boolean always) {
    staysPaged = always;
  }

  /**
   * Whether the request, if it is paged, stays paged with Manx because it exceeds a limit of Manx.
   */
  public boolean staysPaged() {
    return staysPaged;
  }

  /** The coordinator that gets the request, or {@link #ANY}. */
  public int coordinator() {
    return coordinator;
  }

  /** The replicas of a read, best first; null for its home and the nodes that follow. */
  public int[] replicas(int read) {
    return replicas[read];
  }

  /** Number of replicas asked by a read. */
  public int contacts(int read) {
    return contacts[read];
  }

  /** Number of reads that replicas execute for the request. */
  public int executions() {
    return reads + others;
  }

  /**
   * Index of a read's execution at a replica, unique in the request and below {@link
   * #executions()}.
   *
   * @param rank of the replica among those asked, from 0
   */
  public int execution(int read, int rank) {
    return rank == 0 ? read : reads + othersFrom[read] + rank - 1;
  }

  /**
   * Service time at speed 1 without a miss; 0 if the model draws it by the size.
   *
   * @param rank of the replica among those asked, from 0
   */
  public long serviceNanos(int read, int rank) {
    return rank == 0 ? services[read] : otherServices[othersFrom[read] + rank - 1];
  }

  /** Forecast service time; defined only if {@link #serviceNanos} is above 0. */
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

  /** The first node of a read's replicas. */
  public int home(int read) {
    return homes[read];
  }

  /** Size of a read's value. */
  public int bytes(int read) {
    return bytes[read];
  }
}
