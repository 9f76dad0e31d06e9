/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.policy.config.ConfigNode;
import java.lang.reflect.Proxy;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

/** The price of a node in addition to the hop. */
class HopPricesTest {
  private static final InetAddressAndPort HERE = node("127.0.0.1");
  private static final InetAddressAndPort OTHER_RACK = node("127.0.0.2");
  private static final InetAddressAndPort UNKNOWN = node("127.0.0.3");
  private static final IEndpointSnitch SNITCH =
      (IEndpointSnitch)
          Proxy.newProxyInstance(
              HopPricesTest.class.getClassLoader(),
              new Class<?>[] {IEndpointSnitch.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("getLocalRack")) {
                  return "rack1";
                }
                if (arguments[0].equals(UNKNOWN)) {
                  throw new IllegalStateException("not in the snitch's file");
                }
                return arguments[0].equals(HERE) ? "rack1" : "rack2";
              });

  private static InetAddressAndPort node(String address) {
    try {
      return InetAddressAndPort.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HopPrices.Extra extra(String settings, double severity) {
    PluginConfig config =
        PluginConfig.read(
            ConfigNode.parse("manx.yaml", "plugin: { " + settings + " }"), Path.of("manx.off"));
    return HopPrices.extra(config, SNITCH, node -> node.equals(HERE) ? 0 : severity);
  }

  @Test
  void leavingTheRackHasItsPrice() {
    HopPrices.Extra extra = extra("rack-price: 3ms", 0);
    assertThat(extra.nanos(HERE)).isZero();
    assertThat(extra.nanos(OTHER_RACK)).isEqualTo(3_000_000);
    assertThat(extra.nanos(UNKNOWN)).as("not known to the snitch").isEqualTo(3_000_000);
    assertThat(extra("rack-price: 0", 0).nanos(OTHER_RACK)).isZero();
  }

  @Test
  void aNodeThatAnOperatorMadeSevereIsExpensive() {
    assertThat(extra("severity-price: 2s", 0.5).nanos(OTHER_RACK)).isEqualTo(1_000_000_000);
    assertThat(extra("severity-price: 2s", 0.5).nanos(HERE)).isZero();
    assertThat(extra("mode: on", 1).nanos(OTHER_RACK)).as("as it is").isEqualTo(1_000_000_000);
    assertThat(extra("severity-price: 0", 9).nanos(OTHER_RACK)).isZero();
    assertThat(extra("mode: on", -1).nanos(OTHER_RACK)).as("never cheaper").isZero();
    assertThat(extra("severity-price: 1s, rack-price: 1s", 1).nanos(OTHER_RACK))
        .isEqualTo(2_000_000_000);
  }

  /** Its reads that succeed are short, and the others would stay here as well. */
  @Test
  void aNodeThatFailsItsOwnReadsDoesNotKeepThemAtHome() {
    Engine engine = TestEngines.calm("strategy: manx", () -> 7);
    engine.load().sampled(false, 200_000, 200_000, 200_000, 1);
    assertThat(HopPrices.serviceAtHome(engine)).isEqualTo(200_000);
    for (int read = 0; read < 64; read++) {
      engine.nodes().faults().failed(engine.self());
    }
    assertThat(HopPrices.serviceAtHome(engine)).isZero();
    for (int read = 0; read < 64; read++) {
      engine.nodes().faults().answered(engine.self());
    }
    assertThat(HopPrices.serviceAtHome(engine)).as("it has recovered").isEqualTo(200_000);
  }

  @Test
  void anySeverityOfAPeerIsTolerated() {
    assertThat(extra("mode: on", Double.NaN).nanos(OTHER_RACK)).isZero();
    assertThat(extra("mode: on", Double.POSITIVE_INFINITY).nanos(OTHER_RACK)).isZero();
    HopPrices.Extra noNumber =
        HopPrices.extra(
            PluginConfig.read(
                ConfigNode.parse("manx.yaml", "plugin: { rack-price: 3ms }"), Path.of("manx.off")),
            SNITCH,
            node -> Double.parseDouble("high"));
    assertThat(noNumber.nanos(OTHER_RACK)).isEqualTo(3_000_000);
  }
}
