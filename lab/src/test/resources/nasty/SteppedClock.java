/* SPDX-License-Identifier: Apache-2.0 */
package nasty;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;
import org.apache.cassandra.utils.Clock;

/** Cassandra's clock, with a time of day that can be stepped over JMX. */
public final class SteppedClock implements Clock, SteppedClockMBean {
  private volatile long stepMillis;

  public SteppedClock() throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(this, new ObjectName("nasty:type=Clock"));
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long currentTimeMillis() {
    return System.currentTimeMillis() + stepMillis;
  }

  @Override
  public long getStepMillis() {
    return stepMillis;
  }

  @Override
  public void setStepMillis(long millis) {
    stepMillis = millis;
  }
}
