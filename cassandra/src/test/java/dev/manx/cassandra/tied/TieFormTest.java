/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TieFormTest {
  @BeforeAll
  static void schema() {
    TestSchema.load();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.3:7000", "10.1.2.3:65535", "[2001:db8::7]:7000"})
  void tiesAndCopiesAreReadBackAsWritten(String address) throws UnknownHostException {
    InetAddressAndPort node = InetAddressAndPort.getByName(address);
    assertThat(TieForm.tie(TieForm.tie(2_000_000, node)))
        .isEqualTo(new TieForm.Tie(2_000_000, node));
    assertThat(TieForm.copied(TieForm.copied(node, Long.MAX_VALUE, 7_000)))
        .isEqualTo(new TieForm.Copied(node, Long.MAX_VALUE, 7_000));
    assertThat(TieForm.tie(TieForm.tie(Long.MAX_VALUE, node)).staggerNanos())
        .as("the longest there is")
        .isEqualTo(Integer.MAX_VALUE * 1_000L);
  }

  @Test
  void garbageIsReadAsNothingOrAsAnAddressAndNeverThrows() throws UnknownHostException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    InetAddressAndPort node = InetAddressAndPort.getByName("127.0.0.3");
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = 1;
      }
      TieForm.Tie tie = TieForm.tie(bytes);
      assertThat(tie == null || tie.staggerNanos() >= 0).isTrue();
      TieForm.Copied copied = TieForm.copied(bytes);
      assertThat(copied == null || copied.ageNanos() >= 0).isTrue();
      assertThat(TieForm.read(bytes, id -> {})).isEqualTo(bytes.length == 8);
    }
    byte[] later = TieForm.tie(1, node);
    later[0]++;
    assertThat(TieForm.tie(later)).as("of another version").isNull();
  }
}
