/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/** Scores of a dynamic snitch on two datacenters, and the reads of stock and Manx under them. */
final class SnitchScores {
  // Outweighs any difference of measured times, whose scores are at most 1.
  private static final double SEVERE = 10;

  private final TwoDatacenters nodes;

  SnitchScores(TwoDatacenters nodes) {
    this.nodes = nodes;
  }

  /** Makes each node report its severity, and waits until it shows in the coordinators' scores. */
  void report(int... severities) throws Exception {
    ObjectName snitch = new ObjectName("org.apache.cassandra.db:type=DynamicEndpointSnitch");
    for (int node = 0; node < 4; node++) {
      double severity = severities[node] * SEVERE;
      OneNode.<Object>jmx(
          nodes.cluster().nodes().get(node),
          server -> {
            server.setAttribute(snitch, new Attribute("Severity", severity));
            return null;
          });
    }
    // A node has no score until it has been read from.
    nodes.ask(DefaultConsistencyLevel.ALL, 0, 1);
    for (int coordinator = 0; coordinator < 2; coordinator++) {
      OneNode.<Object>jmx(
          nodes.cluster().nodes().get(coordinator),
          server -> {
            Waiting.until(
                "scores tell " + Arrays.toString(severities),
                () -> Arrays.equals(severities, scored(server, snitch)));
            return null;
          });
    }
  }

  private int[] scored(MBeanServerConnection server, ObjectName snitch) {
    try {
      Map<?, ?> scores = (Map<?, ?>) server.getAttribute(snitch, "ScoresWithPort");
      return IntStream.rangeClosed(1, 4)
          .mapToObj(node -> scores.get("/127.0.0." + node + ":7000"))
          .mapToInt(score -> score == null ? -1 : (int) ((Double) score / SEVERE))
          .toArray();
    } catch (JMException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  enum Spread {
    /** Some reads go to another node of the same datacenter than stock's. */
    MOVES,
    /** The nodes serve as many reads each as under stock. */
    STAYS
  }

  /** Stock's reads of each node, then Manx's: as many in the other datacenter. */
  void compare(DefaultConsistencyLevel level, long away, Spread spread) {
    long[] stock = served(level, "off");
    long changed = nodes.counter(0, "select_changed") + nodes.counter(1, "select_changed");
    long[] manx = served(level, "on");
    System.out.printf(
        "at %s stock reads %s, Manx %s%n", level, Arrays.toString(stock), Arrays.toString(manx));
    assertThat(stock[2] + stock[3]).as("stock at " + level).isEqualTo(away);
    assertThat(manx[2] + manx[3]).as("Manx at " + level).isEqualTo(away);
    assertThat(manx[0] + manx[1]).isEqualTo(stock[0] + stock[1]);
    long moved = nodes.counter(0, "select_changed") + nodes.counter(1, "select_changed") - changed;
    if (spread == Spread.STAYS) {
      assertThat(manx).isEqualTo(stock);
      assertThat(moved).as("counted as changed at " + level).isZero();
    } else {
      assertThat(moved).as("counted as changed at " + level).isPositive();
    }
  }

  private long[] served(DefaultConsistencyLevel level, String mode) {
    for (int node = 0; node < 2; node++) {
      nodes.set(node, "mode", mode);
    }
    long[] before = IntStream.range(0, 4).mapToLong(node -> nodes.reads(node)).toArray();
    nodes.ask(level, 0, 1);
    return IntStream.range(0, 4).mapToLong(node -> nodes.reads(node) - before[node]).toArray();
  }
}
