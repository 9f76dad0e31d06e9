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

/**
 * Calls a running node like nodetool, and waits for the end of the call. Throws a {@link
 * RunException} if the node cannot be reached or refuses.
 */
final class NodeJmx {
  private static final String URL = "service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi";

  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  private NodeJmx() {}

  /** Flushes the tables of a keyspace to files, compacts these, and waits for the end. */
  static void compact(Node node, String keyspace) {
    String[] tables = {};
    invoke(
        node,
        "forceKeyspaceFlush",
        new Object[] {keyspace, tables},
        String.class.getName(),
        String[].class.getName());
    invoke(
        node,
        "forceKeyspaceCompaction",
        new Object[] {false, keyspace, tables},
        boolean.class.getName(),
        String.class.getName(),
        String[].class.getName());
  }

  /**
   * Removes the dynamic snitch of a node or restores it.
   *
   * @param snitch the class name of the snitch below it, which stays as it is
   * @param dynamic whether the node should have one
   */
  static void snitch(Node node, String snitch, boolean dynamic) {
    invoke(
        node,
        "updateSnitch",
        new Object[] {snitch, dynamic, null, null, null},
        String.class.getName(),
        Boolean.class.getName(),
        Integer.class.getName(),
        Integer.class.getName(),
        Double.class.getName());
  }

  // JMX over RMI looks up the node by JNDI; this JVM started the node, on 127.0.0.1.
  @SuppressWarnings("BanJNDI")
  private static void invoke(Node node, String operation, Object[] values, String... types) {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(URL.formatted(node.jmxPort())))) {
      connector
          .getMBeanServerConnection()
          .invoke(new ObjectName(STORAGE_SERVICE), operation, values, types);
    } catch (IOException | JMException e) {
      throw new RunException(node.name() + " does not do " + operation + ": " + e.getMessage(), e);
    }
  }
}
