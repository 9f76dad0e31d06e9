/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import dev.manx.cassandra.control.Mode;
import dev.manx.policy.config.ConfigException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Implements {@link ManxMXBean} with a {@link Control}. */
public final class JmxControl implements ManxMXBean {
  private static final Logger logger = LoggerFactory.getLogger(JmxControl.class);
  private static final String NAME = "dev.manx:type=Manx";

  private final Control control;

  private JmxControl(Control control) {
    this.control = control;
  }

  /** Registers the bean. If JMX refuses the bean, Manx works without it, and the log says so. */
  public static void register(Control control) {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new JmxControl(control), new ObjectName(NAME));
    } catch (JMException | RuntimeException e) {
      logger.warn(
          "Manx has no JMX bean, because JMX refuses {}: {}. CQL and the kill file switch it.",
          NAME,
          e.toString());
    }
  }

  @Override
  public String getMode() {
    return control.mode().label();
  }

  @Override
  public void setMode(String mode) {
    control.mode(
        Mode.of(mode)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "mode = '" + mode + "' is invalid; allowed: " + Mode.labels())));
  }

  @Override
  public String getStrategy() {
    return control.status().get("document");
  }

  @Override
  public void setStrategy(String yaml) {
    try {
      control.document(yaml);
    } catch (ConfigException e) {
      // A JMX client may not have Manx's classes.
      throw new IllegalArgumentException(e.getMessage());
    }
  }

  @Override
  public String getRecord() {
    return control.status().get("record");
  }

  @Override
  public void setRecord(String value) {
    try {
      control.record(value);
    } catch (ConfigException e) {
      // As above.
      throw new IllegalArgumentException(e.getMessage());
    }
  }

  @Override
  public String getPersisted() {
    return control.status().get("persisted");
  }

  @Override
  public void persist(String rows) {
    try {
      control.persist(rows);
    } catch (ConfigException e) {
      // As above.
      throw new IllegalArgumentException(e.getMessage());
    }
  }

  @Override
  public String getBreaker() {
    return control.status().get("breaker");
  }

  @Override
  public Map<String, Long> getCounters() {
    return control.counters();
  }
}
