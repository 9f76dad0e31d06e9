/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import com.codahale.metrics.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manx's metrics in the node's registry, and the rejected ones: each rejection is counted, the
 * first is logged, and it has no other effect. Any thread.
 */
public final class Registered {
  private static final Logger logger = LoggerFactory.getLogger(Registered.class);
  private static final String DOMAIN = "org.apache.cassandra.metrics";
  private static final String TYPE = "Manx";

  private final Registry registry;
  private final Runnable onFailure;
  private final Map<String, MetricName> names = new HashMap<>();
  private String failure = "";
  private boolean closed;

  /** The operations of a metrics registry that are needed here. */
  public interface Registry {
    /** Registers a metric; returns the one now registered under that name. */
    Metric register(MetricName name, Metric metric);

    /** Removes a metric. */
    void remove(MetricName name);
  }

  /** The node's registry. */
  public static Registry ofCassandra() {
    return new Registry() {
      @Override
      public Metric register(MetricName name, Metric metric) {
        return CassandraMetricsRegistry.Metrics.register(name, metric);
      }

      @Override
      public void remove(MetricName name) {
        CassandraMetricsRegistry.Metrics.remove(name);
      }
    };
  }

  /**
   * @param onFailure counts rejections
   */
  public Registered(Registry registry, Runnable onFailure) {
    this.registry = registry;
    this.onFailure = onFailure;
  }

  /**
   * Registers a metric {@code org.apache.cassandra.metrics:type=Manx,...,name=...}.
   *
   * @param keys further keys of the bean's name, each followed by its value
   */
  synchronized void add(String name, Metric metric, String... keys) {
    String id = id(name, keys);
    if (closed || names.containsKey(id)) {
      return;
    }
    try {
      MetricName metricName = name(name, keys);
      if (registry.register(metricName, metric) != metric) {
        throw new IllegalStateException("another metric has this name");
      }
      names.put(id, metricName);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      onFailure.run();
      if (failure.isEmpty()) {
        failure = id + ": " + e;
        logger.warn("Manx: Cassandra's metrics registry rejected {}", failure);
      }
    }
  }

  /** Registers a gauge whose name has no further keys. */
  public void gauge(String name, Supplier<Number> value) {
    add(name, NodeMetrics.gauge(value));
  }

  /** Removes a metric. */
  synchronized void remove(String name, String... keys) {
    MetricName known = names.remove(id(name, keys));
    if (known != null) {
      remove(known);
    }
  }

  private void remove(MetricName name) {
    try {
      registry.remove(name);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      onFailure.run();
      logger.warn("Manx: the metric {} could not be removed: {}", name, e.toString());
    }
  }

  /** Removes all metrics permanently. */
  public synchronized void close() {
    closed = true;
    List<MetricName> all = new ArrayList<>(names.values());
    names.clear();
    all.forEach(this::remove);
  }

  /** The number of metrics, and the first rejection. */
  public synchronized String describe() {
    return names.size() + " in Cassandra's registry" + (failure.isEmpty() ? "" : "; " + failure);
  }

  private static String id(String name, String... keys) {
    return keys.length == 0 ? name : name + " of " + String.join(" ", keys);
  }

  // A separate bean name, since the registry's standard one has room for a scope only.
  private static MetricName name(String name, String... keys) {
    StringBuilder bean = new StringBuilder(DOMAIN + ":type=" + TYPE);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < keys.length; i += 2) {
      bean.append(',').append(keys[i]).append('=').append(keys[i + 1]);
      values.add(keys[i + 1]);
    }
    bean.append(",name=").append(name);
    String scope = values.isEmpty() ? null : String.join(".", values);
    return new MetricName(DOMAIN, TYPE, name, scope, bean.toString());
  }
}
