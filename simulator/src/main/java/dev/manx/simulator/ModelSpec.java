/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import java.util.List;
import java.util.Optional;

/**
 * The modelled cluster. Immutable.
 *
 * @param nodes replicas, at least the replication factor
 * @param cores of a replica
 * @param readThreads reads that a replica serves at once; those beyond the cores share them
 * @param replicationFactor copies of each key, on nodes that follow each other
 * @param coordinators who plan requests; each request comes to one of them, uniformly drawn
 * @param network delays between coordinators and replicas
 * @param service how long a read takes
 * @param speeds how fast nodes are
 * @param cache the page cache of each node, if it is modelled
 * @param feedback how facts travel
 * @param forecast what coordinators know of service times
 * @param cpu what messages and decisions cost
 * @param faults what goes wrong when
 * @param timeoutNanos a coordinator gives a lost read up after this
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
    long timeoutNanos) {
  /** Most nodes; their ids fit beside a payload. */
  public static final int MOST_NODES = 100_000;

  /**
   * One-way delay of a message.
   *
   * @param oneWayNanos its mean
   * @param cv coefficient of variation of a lognormal around it; 0 for constant
   * @param loss share of messages that never arrive
   */
  public record Network(long oneWayNanos, double cv, double loss) {}

  /** How service times scatter around what a size says. */
  public enum Scatter {
    /** Not at all. */
    NONE,
    /** Exponentially. */
    EXPONENTIAL,
    /** Lognormally. */
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
   * @param flipEveryNanos every so often each node draws anew whether it is fast; 0 for never
   * @param fastFactor how much faster a fast node is
   * @param fastShare probability of being fast
   */
  public record Speeds(
      List<Double> fixed, long flipEveryNanos, double fastFactor, double fastShare) {
    /** Every node the same, always. */
    public static final Speeds EVEN = new Speeds(List.of(), 0, 1, 0);
  }

  /**
   * An LRU of whole values.
   *
   * @param bytesPerNode its size; with 0 every read is a miss, as forecasts know
   * @param missNanos added to the service of a read whose value is not in it
   * @param missPerByteNanos added per byte of the value
   * @param disks of a node, each of which serves one miss after another while the reads that wait
   *     for it keep their cores; 0 for one for every miss
   */
  public record Cache(long bytesPerNode, long missNanos, double missPerByteNanos, int disks) {}

  /**
   * How facts travel: on replies.
   *
   * @param extraAgeNanos added to the age of each fact beyond the reply's own delay
   * @param serviceTimeWeight weight of the newest sample in a node's smoothed service times
   */
  public record Feedback(long extraAgeNanos, double serviceTimeWeight) {}

  /** Where a coordinator's forecast of a service time comes from. */
  public enum Knowledge {
    /** The time itself, at speed 1 and without a miss. */
    EXACT,
    /** The mean for the value's size. */
    MEAN,
    /** The strategy's own oracles and facts, as on a node. */
    STRATEGY
  }

  /**
   * The knowledge of coordinators, with errors injected; errors act on {@code EXACT} and {@code
   * MEAN}.
   *
   * @param knowledge where a forecast comes from
   * @param sigma of a lognormal factor of mean 1 on each forecast
   * @param bias factor on every forecast
   * @param falseLarge share of small reads forecast as if their value were of the largest size
   * @param falseLargeBytes that size
   */
  public record Forecasts(
      Knowledge knowledge, double sigma, double bias, double falseLarge, int falseLargeBytes) {}

  /**
   * CPU that messages and decisions take.
   *
   * @param messageNanos of a replica for each message that it sends or receives; added to the next
   *     read that starts there
   * @param coordinatorCores of each coordinator
   * @param perRequestNanos of a coordinator for planning a request
   * @param perReadNanos of it for each read that it plans and sends
   * @param perAnswerNanos of it for each answer
   */
  public record Cpu(
      long messageNanos,
      int coordinatorCores,
      long perRequestNanos,
      long perReadNanos,
      long perAnswerNanos) {
    /** Messages and decisions cost nothing. */
    public static final Cpu FREE = new Cpu(0, 1, 0, 0, 0);

    /** Whether coordinators need any. */
    boolean atCoordinators() {
      return perRequestNanos + perReadNanos + perAnswerNanos > 0;
    }
  }

  /** A fault of a node or a coordinator. */
  public enum Trouble {
    /** It loses what it holds and what reaches it. */
    DEAD,
    /** It serves at another speed. */
    SLOW,
    /** It stands still, its messages with it, and goes on where it was. */
    PAUSED,
    /** Its reads stand still; messages come and go. */
    STALLED,
    /**
     * It leaves in good order, gets no reads while away, and comes back with an empty page cache.
     */
    RESTARTED,
    /** Messages to and from it take longer. */
    FAR,
    /** Its clock steps ahead, and back at the end. */
    STEPPED
  }

  /** Where something goes wrong. */
  public enum Place {
    /** At a replica. */
    NODE,
    /** At a coordinator. */
    COORDINATOR
  }

  /** Stands for every node, or every coordinator. */
  public static final int EVERY = -1;

  /**
   * A node or a coordinator in trouble over a time span.
   *
   * @param id which, or {@link #EVERY}
   * @param everyNanos from one beginning to the next; 0 for once
   * @param factor speed while {@code SLOW}
   * @param delayNanos of each message while {@code FAR}; of the clock's step while {@code STEPPED}
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
    /** A node in trouble once. */
    public static Fault of(int node, Trouble trouble, long fromNanos, long toNanos, double factor) {
      return new Fault(Place.NODE, node, trouble, fromNanos, toNanos, 0, factor, 0);
    }
  }

  /** Copies the lists. */
  public ModelSpec {
    faults = List.copyOf(faults);
  }

  /** The same cluster with other faults. */
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
        timeoutNanos);
  }

  /** Reads that all nodes can serve in a second at speed 1, without misses. */
  public double capacityReadsPerSecond(double meanBytes) {
    double speed = 0;
    for (int node = 0; node < nodes; node++) {
      speed += node < speeds.fixed().size() ? speeds.fixed().get(node) : 1;
    }
    return speed * cores / service.meanNanos(meanBytes) * 1e9;
  }
}
