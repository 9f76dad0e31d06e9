/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import dev.manx.cassandra.metrics.Registered;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.junit.jupiter.api.Test;

/** Otherwise a node that bootstraps looks like one without Manx. */
class StartingTest {
  private final Map<String, Metric> map = new TreeMap<>();
  private final Starting starting = new Starting();

  private Object value() {
    String bean = "org.apache.cassandra.metrics:type=Manx,name=Starting";
    assertThat(map).containsOnlyKeys(bean);
    return ((Gauge<?>) map.get(bean)).getValue();
  }

  @Test
  void aNodeStartsUntilManxHasBegunOrFailed() {
    starting.show(
        new Registered.Registry() {
          @Override
          public Metric register(MetricName name, Metric metric) {
            map.put(name.getMBeanName().toString(), metric);
            return metric;
          }

          @Override
          public void remove(MetricName name) {
            map.remove(name.getMBeanName().toString());
          }
        });
    assertThat(value()).isEqualTo(1);
    starting.end();
    assertThat(value()).isEqualTo(0);
  }

  @Test
  void aRegistryThatFailsDoesNotKeepManxFromStarting() {
    starting.show(
        new Registered.Registry() {
          @Override
          public Metric register(MetricName name, Metric metric) {
            throw new NoClassDefFoundError("no registry");
          }

          @Override
          public void remove(MetricName name) {}
        });
    starting.end();
    assertThat(map).isEmpty();
  }
}
