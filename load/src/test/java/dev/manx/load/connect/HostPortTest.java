/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1, 9042",
    "db1.example.org:9142, db1.example.org, 9142",
    "[::1]:9142, ::1, 9142",
    "[fe80::1], fe80::1, 9042",
    "fe80::1, fe80::1, 9042",
    "::1, ::1, 9042"
  })
  void readsAddressesAsPeopleWriteThem(String text, String host, int port) {
    assertThat(HostPort.parse(text)).contains(new HostPort(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "host:", "host:0", "host:65536", "a b", "a,b", "[::1", "u@host"})
  void refusesOthers(String text) {
    assertThat(HostPort.parse(text)).isEmpty();
  }

  @Test
  void aPrintedAddressReadsAsTheSame() {
    for (HostPort one : new HostPort[] {new HostPort("::1", 7), new HostPort("a", 9_042)}) {
      assertThat(HostPort.parse(one.toString())).contains(one);
    }
    assertThat(new HostPort("a", 9_042).brief()).isEqualTo("a");
    assertThat(new HostPort("a", 9_043).brief()).isEqualTo("a:9043");
  }

  /** A name of several nodes must work while the first of them is down. */
  @Test
  void aNameStandsForAllItsAddresses() throws UnknownHostException {
    InetAddress one = InetAddress.getByAddress("db.example.org", new byte[] {10, 0, 0, 1});
    InetAddress two = InetAddress.getByAddress("db.example.org", new byte[] {10, 0, 0, 2});
    List<InetSocketAddress> all =
        new HostPort("db.example.org", 9_142).resolved(host -> new InetAddress[] {one, two});
    assertThat(all)
        .containsExactly(new InetSocketAddress(one, 9_142), new InetSocketAddress(two, 9_142))
        .extracting(InetSocketAddress::getHostString)
        .as("certificates are issued for the name")
        .containsOnly("db.example.org");
    assertThat(new HostPort("127.0.0.9", 9_042).resolved())
        .containsExactly(new InetSocketAddress("127.0.0.9", 9_042));
  }

  @Test
  void anUnknownNameIsLeftUnresolved() {
    List<InetSocketAddress> none =
        new HostPort("none.example.org", 9_042)
            .resolved(
                host -> {
                  throw new UnknownHostException(host);
                });
    assertThat(none).singleElement().matches(InetSocketAddress::isUnresolved);
  }
}
