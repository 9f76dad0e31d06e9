/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.Varints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AddressTableTest {
  @Test
  void aTableIsReadBackAndTheFollowingBytesAreKept() throws Exception {
    List<InetAddressAndPort> nodes =
        List.of(
            InetAddressAndPort.getByNameOverrideDefaults("127.0.0.1", 7000),
            InetAddressAndPort.getByNameOverrideDefaults("2001:db8::17", 65_535),
            InetAddressAndPort.getByNameOverrideDefaults("10.255.0.9", 0));
    byte[] bytes = AddressTable.put(nodes, new byte[] {7, 8});
    Varints.Reader reader = new Varints.Reader(bytes);
    assertThat(AddressTable.take(reader)).isEqualTo(nodes);
    assertThat(Arrays.copyOfRange(bytes, reader.at(), bytes.length)).containsExactly(7, 8);
    assertThat(AddressTable.put(List.of(), new byte[0])).containsExactly(0);
  }

  @Test
  void aTruncatedOrGarbledMessageIsRefusedOrATable() throws Exception {
    long seed = 4711;
    System.out.println("AddressTableTest: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<InetAddressAndPort> nodes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      nodes.add(InetAddressAndPort.getByNameOverrideDefaults("127.0.0." + i, 7_000 + i));
    }
    byte[] whole = AddressTable.put(nodes, new byte[0]);
    for (int cut = 0; cut < whole.length; cut++) {
      assertThat(AddressTable.take(new Varints.Reader(Arrays.copyOf(whole, cut)))).isNull();
    }
    for (int i = 0; i < 50_000; i++) {
      byte[] garbled = whole.clone();
      garbled[random.nextInt(garbled.length)] = (byte) random.nextInt();
      List<InetAddressAndPort> read = AddressTable.take(new Varints.Reader(garbled));
      assertThat(read == null || read.size() <= AddressTable.MOST).isTrue();
    }
  }
}
