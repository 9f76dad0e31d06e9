/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TopologyTest {
  @Test
  void neighboursOnTheRingAreInDifferentDatacentersAndRacks() {
    Topology topology = new Topology(2, 2);
    assertThat(IntStream.rangeClosed(1, 8).map(topology::datacenterOf))
        .containsExactly(1, 2, 1, 2, 1, 2, 1, 2);
    assertThat(IntStream.rangeClosed(1, 8).map(topology::rackOf))
        .containsExactly(1, 1, 2, 2, 1, 1, 2, 2);
    assertThat(topology.properties(3)).isEqualTo("dc=datacenter1\nrack=rack2\n");
    assertThat(topology.words()).isEqualTo("2 datacenters of 2 racks");
  }

  @Test
  void oneRackIsStocksOwnLayout() {
    assertThat(Topology.ONE.isDivided()).isFalse();
    assertThat(Topology.ONE.properties(9)).isEqualTo("dc=datacenter1\nrack=rack1\n");
    assertThat(Topology.ONE.replication(3))
        .isEqualTo("{'class': 'SimpleStrategy', 'replication_factor': 3}");
    assertThat(new Topology(1, 2).replication(3))
        .isEqualTo("{'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
  }
}
