/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.RunException;
import dev.manx.local.cluster.Node;
import java.io.IOException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Calls a running node like nodetool. */
final class NodeJmx {
  private static final String URL = "service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi";

  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  private NodeJmx() {}

  /** Flushes the tables of a keyspace to files and compacts those, and waits until it is done. */
  static void compact(Node node, String keyspace) {
    String[] tables = {};
    invoke(
        node,
        STORAGE_SERVICE,
        "forceKeyspaceFlush",
        new Object[] {keyspace, tables},
        String.class.getName(),
        String[].class.getName());
    invoke(
        node,
        STORAGE_SERVICE,
        "forceKeyspaceCompaction",
        new Object[] {false, keyspace, tables},
        boolean.class.getName(),
        String.class.getName(),
        String[].class.getName());
  }

  /**
   * Calls an operation of an MBean and waits until it returns.
   *
   * @param types class names of the values
   * @throws RunException if the node cannot be reached or refuses
   */
  // JMX over RMI looks up the node by JNDI; this JVM started the node, on 127.0.0.1.
  @SuppressWarnings("BanJNDI")
  static void invoke(Node node, String bean, String operation, Object[] values, String... types) {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(URL.formatted(node.jmxPort())))) {
      connector.getMBeanServerConnection().invoke(new ObjectName(bean), operation, values, types);
    } catch (IOException | JMException e) {
      throw new RunException(node.name() + " does not do " + operation + ": " + e.getMessage(), e);
    }
  }
}
