/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.connect.HostPort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forms of node names. */
class NodeChoiceTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1, 9042, true",
    "10.0.0.1:9042, 10.0.0.1, 9042, true",
    "10.0.0.1:9043, 10.0.0.1, 9042, false",
    "10.0.0.1, 10.0.0.11, 9042, false",
    "2001:db8:0:0:0:0:0:1, 2001:db8:0:0:0:0:0:1, 9042, true",
    "2001:db8::1, 2001:db8:0:0:0:0:0:1, 9042, true",
    "2001:DB8::1, 2001:db8:0:0:0:0:0:1, 9142, true",
    "[2001:db8::1], 2001:db8:0:0:0:0:0:1, 9042, true",
    "[2001:db8::1]:9142, 2001:db8:0:0:0:0:0:1, 9142, true",
    "[2001:db8::1]:9142, 2001:db8:0:0:0:0:0:1, 9042, false",
    "2001:db8::2, 2001:db8:0:0:0:0:0:1, 9042, false",
    "::, 10.0.0.1, 9042, false"
  })
  void anAddressIsTheSameInEachOfItsForms(String name, String host, int port, boolean same) {
    assertThat(NodeChoice.isCalled(name, new HostPort(host, port))).isEqualTo(same);
  }
}
