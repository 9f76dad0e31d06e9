/* SPDX-License-Identifier: Apache-2.0 */
package nasty;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyProvider;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.ParamType;

/** Makes a node send garbage in place of Manx's tags and facts. */
public final class Garbling implements PolicyProvider {
  private static final String KEY = "manx";
  private static final ThreadLocal<Boolean> SENDING = ThreadLocal.withInitial(() -> false);
  private static volatile boolean active;
  private static boolean added;

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("select.garbling", "stock's order, and garbage on the wire")
            .settings(Setting.flag("garbles", true, "whether it does"))
            .at(PolicyInfo.Place.COORDINATOR)
            .make(
                settings -> {
                  garble(settings.flag("garbles"));
                  return new Selector() {
                    @Override
                    public void rank(
                        Request request, int read, int from, int to, ClusterView view) {}
                  };
                }));
  }

  private static synchronized void garble(boolean on) {
    active = on;
    if (on && !added) {
      added = true;
      MessagingService.instance().outboundSink.add(Garbling::pass);
    }
  }

  private static boolean pass(Message<?> message, InetAddressAndPort to) {
    Map<String, byte[]> map = message.header.customParams();
    if (!active || SENDING.get() || map == null || !map.containsKey(KEY)) {
      return true;
    }
    SENDING.set(true);
    try {
      Map<String, byte[]> garbage = Map.of(KEY, garbage(map.get(KEY)));
      MessagingService.instance().send(message.withParam(ParamType.CUSTOM_MAP, garbage), to);
    } finally {
      SENDING.set(false);
    }
    return false;
  }

  private static byte[] garbage(byte[] good) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    switch (random.nextInt(7)) {
      case 0:
        return new byte[0];
      case 1:
        return noise(new byte[random.nextInt(64)], random);
      case 2:
        return noise(new byte[60_000], random);
      case 3:
        return Arrays.copyOf(good, random.nextInt(good.length));
      case 4:
        byte[] foreign = good.clone();
        foreign[0] = 9;
        return foreign;
      case 5:
        // Numbers that never end.
        byte[] endless = Arrays.copyOf(good, good.length + 20);
        Arrays.fill(endless, 2, endless.length, (byte) 0xff);
        return endless;
      default:
        // Facts of this version: work ahead and slowness, as large as a number can be.
        return new byte[] {
          1, 2, 3, 9, -1, -1, -1, -1, -1, -1, -1, -1, 127, 5, 9, -1, -1, -1, -1, -1, -1, -1, -1, 127
        };
    }
  }

  private static byte[] noise(byte[] bytes, ThreadLocalRandom random) {
    random.nextBytes(bytes);
    return bytes;
  }
}
