/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class JmxControlTest {
  /** A bean of the test's. */
  public interface OtherMXBean {
    /** An attribute. */
    int getOther();
  }

  /** Manx starts with its tables, its threads and its watchdog. */
  @Test
  void aNameInUseIsNoReasonNotToStart() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("dev.manx:type=Manx");
    OtherMXBean other = () -> 7;
    server.registerMBean(other, name);
    try {
      JmxControl.register(null);
      assertThat(server.getAttribute(name, "Other")).as("the other bean stays").isEqualTo(7);
    } finally {
      server.unregisterMBean(name);
    }
  }
}
