/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import java.util.List;
import java.util.Optional;

/**
 * The modelled cluster. Immutable.
 *
 * @param nodes replicas, at least the replication factor
 * @param cores of a replica
 * @param readThreads reads that a replica serves concurrently; they share the cores if there are
 *     more reads than cores
 * @param replicationFactor copies of each key, on consecutive nodes
 * @param coordinators nodes that plan requests; each request goes to one of them, drawn uniformly
 * @param network delays between coordinators and replicas
 * @param service service time of reads
 * @param speeds speeds of nodes
 * @param cache the page cache of each node, if it is modelled
 * @param feedback transport of facts
 * @param forecast coordinators' knowledge of service times
 * @param cpu cost of messages and decisions
 * @param faults faults and their times
 * @param timeoutNanos time after which a coordinator gives up a lost read
 * @param placementSeed selects the nodes of the keys; 0 for the places that a source gives
 * @param longestWaitNanos longest wait in a queue that nodes allow an order with {@code max-wait:
 *     auto}
 */
public record ModelSpec(
    int nodes,
    int cores,
    int readThreads,
    int replicationFactor,
    int coordinators,
    Network network,
    Service service,
    Speeds speeds,
    Optional<Cache> cache,
    Feedback feedback,
    Forecasts forecast,
    Cpu cpu,
    List<Fault> faults,
    long timeoutNanos,
    long placementSeed,
    long longestWaitNanos) {
  /** The longest wait that nodes with Cassandra's default read time-out allow: half of it. */
  public static final long USUAL_LONGEST_WAIT_NANOS = 2_500_000_000L;

  /** Largest number of nodes; their ids fit into an event with a payload. */
  public static final int MOST_NODES = 100_000;

  /**
   * One-way delay of a message.
   *
   * @param oneWayNanos its mean
   * @param cv coefficient of variation of a lognormal around it; 0 for constant
   * @param loss share of messages that never arrive
   */
  public record Network(long oneWayNanos, double cv, double loss) {}

  /** Scatter of service times around the mean for a size. */
  public enum Scatter {
    /** No scatter. */
    NONE,
    /** Exponential scatter. */
    EXPONENTIAL,
    /** Lognormal scatter. */
    LOGNORMAL
  }

  /**
   * Service time of a read at speed 1, without a cache miss: {@code base + bytes * perByte}, times
   * a random factor of mean 1.
   *
   * @param baseNanos its constant part
   * @param perByteNanos its part per byte of the value
   * @param scatter the factor's distribution
   * @param cv coefficient of variation of a lognormal factor
   */
  public record Service(double baseNanos, double perByteNanos, Scatter scatter, double cv) {
    /** Mean service time of values of a size. */
    public double meanNanos(double bytes) {
      return baseNanos + bytes * perByteNanos;
    }
  }

  /**
   * Speeds of nodes; service times are divided by them.
   *
   * @param fixed node by node, the rest 1
   * @param flipEveryNanos interval at which each node draws anew whether it is fast; 0 for never
   * @param fastFactor speed of a fast node relative to the others
   * @param fastShare probability of being fast
   */
  public record Speeds(
      List<Double> fixed, long flipEveryNanos, double fastFactor, double fastShare) {
    /** All nodes equally fast at all times. */
    public static final Speeds EVEN = new Speeds(List.of(), 0, 1, 0);

    /** Mean speed over time relative to the fixed one. */
    double meanFactor() {
      return flipEveryNanos > 0 ? 1 + fastShare * (fastFactor - 1) : 1;
    }
  }

  /**
   * An LRU of whole values.
   *
   * @param bytesPerNode its size; with 0 every read is a miss, and forecasts include this
   * @param missNanos added to the service of a read whose value is not in it
   * @param missPerByteNanos added per byte of the value
   * @param disks number per node; each serves one miss after another, and waiting reads keep their
   *     cores; 0 for a disk per miss
   */
  public record Cache(long bytesPerNode, long missNanos, double missPerByteNanos, int disks) {}

  /**
   * The transport of facts on replies.
   *
   * @param extraAgeNanos added to the age of each fact beyond the reply's own delay
   * @param serviceTimeWeight weight of the newest sample in a node's smoothed service times
   */
  public record Feedback(long extraAgeNanos, double serviceTimeWeight) {}

  /** The source of a coordinator's forecast of a service time. */
  public enum Knowledge {
    /** The actual time, at speed 1 and without a miss. */
    EXACT,
    /** The mean for the value's size; for a recorded read, the recorded forecast. */
    MEAN,
    /** The strategy's oracles and facts, as on a node. */
    STRATEGY
  }

  /**
   * The knowledge of coordinators, with errors injected; errors act on {@code EXACT} and {@code
   * MEAN}.
   *
   * @param knowledge source of a forecast
   * @param sigma of a lognormal factor of mean 1 on each forecast, of time and size alike
   * @param bias factor on every forecast, of time and size alike
   * @param falseLarge share of small reads whose value is forecast to have the largest size; does
   *     not apply to recorded reads
   * @param falseLargeBytes that size
   */
  public record Forecasts(
      Knowledge knowledge, double sigma, double bias, double falseLarge, int falseLargeBytes) {}

  /**
   * CPU time of messages and decisions.
   *
   * @param messageNanos time at a replica for each message sent or received; added to the next read
   *     that starts there
   * @param coordinatorCores of each coordinator
   * @param perRequestNanos time at a coordinator to plan a request
   * @param perReadNanos time at a coordinator for each read that it sends, second copies included
   * @param perAnswerNanos time at a coordinator for each answer
   */
  public record Cpu(
      long messageNanos,
      int coordinatorCores,
      long perRequestNanos,
      long perReadNanos,
      long perAnswerNanos) {
    /** Messages and decisions cost nothing. */
    public static final Cpu FREE = new Cpu(0, 1, 0, 0, 0);

    /** Whether coordinators need CPU time. */
    public boolean atCoordinators() {
      return perRequestNanos + perReadNanos + perAnswerNanos > 0;
    }
  }

  /** A fault of a node or a coordinator. */
  public enum Trouble {
    /** The node loses all its reads and every message that reaches it. */
    DEAD,
    /** The node serves at another speed. */
    SLOW,
    /** The node stops, together with its messages, and then continues. */
    PAUSED,
    /** The node's reads stop; its messages are still sent and received. */
    STALLED,
    /**
     * The node leaves gracefully, does not receive reads while away, and returns with an empty page
     * cache.
     */
    RESTARTED,
    /** Messages to and from the node are delayed. */
    FAR,
    /** The node's clock steps forward, and back at the end. */
    STEPPED
  }

  /** The place of a fault. */
  public enum Place {
    /** At a replica. */
    NODE,
    /** At a coordinator. */
    COORDINATOR
  }

  /** The id for every node or every coordinator. */
  public static final int EVERY = -1;

  /**
   * A fault of a node or a coordinator over a time span.
   *
   * @param id id of the node or coordinator, or {@link #EVERY}
   * @param everyNanos interval between starts; 0 for once
   * @param factor speed while {@code SLOW}
   * @param delayNanos delay of each message while {@code FAR}; size of the clock's step while
   *     {@code STEPPED}
   */
  public record Fault(
      Place place,
      int id,
      Trouble trouble,
      long fromNanos,
      long toNanos,
      long everyNanos,
      double factor,
      long delayNanos) {
    /** A single fault of a node. */
    public static Fault of(int node, Trouble trouble, long fromNanos, long toNanos, double factor) {
      return new Fault(Place.NODE, node, trouble, fromNanos, toNanos, 0, factor, 0);
    }
  }

  /** Copies the lists. */
  public ModelSpec {
    faults = List.copyOf(faults);
  }

  /** A cluster whose keys are where the source places them. */
  public ModelSpec(
      int nodes,
      int cores,
      int readThreads,
      int replicationFactor,
      int coordinators,
      Network network,
      Service service,
      Speeds speeds,
      Optional<Cache> cache,
      Feedback feedback,
      Forecasts forecast,
      Cpu cpu,
      List<Fault> faults,
      long timeoutNanos) {
    this(
        nodes,
        cores,
        readThreads,
        replicationFactor,
        coordinators,
        network,
        service,
        speeds,
        cache,
        feedback,
        forecast,
        cpu,
        faults,
        timeoutNanos,
        0,
        USUAL_LONGEST_WAIT_NANOS);
  }

  /** Returns this cluster with other faults. */
  public ModelSpec with(List<Fault> others) {
    return new ModelSpec(
        nodes,
        cores,
        readThreads,
        replicationFactor,
        coordinators,
        network,
        service,
        speeds,
        cache,
        feedback,
        forecast,
        cpu,
        others,
        timeoutNanos,
        placementSeed,
        longestWaitNanos);
  }

  /** Returns this cluster with its keys on other nodes. */
  public ModelSpec placed(long seed) {
    return with(seed, longestWaitNanos);
  }

  /** Returns this cluster with another {@link #longestWaitNanos}. */
  public ModelSpec limited(long nanos) {
    return with(placementSeed, nanos);
  }

  private ModelSpec with(long seed, long limitNanos) {
    return new ModelSpec(
        nodes,
        cores,
        readThreads,
        replicationFactor,
        coordinators,
        network,
        service,
        speeds,
        cache,
        feedback,
        forecast,
        cpu,
        faults,
        timeoutNanos,
        seed,
        limitNanos);
  }

  /** Reads per second that all nodes can serve at speed 1, without misses. */
  public double capacityReadsPerSecond(double meanBytes) {
    double speed = 0;
    for (int node = 0; node < nodes; node++) {
      speed += node < speeds.fixed().size() ? speeds.fixed().get(node) : 1;
    }
    return speed * cores / service.meanNanos(meanBytes) * 1e9;
  }
}
