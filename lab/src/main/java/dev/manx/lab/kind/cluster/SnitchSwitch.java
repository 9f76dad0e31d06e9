/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.cluster.Node;
import dev.manx.lab.experiment.RunException;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Takes the dynamic snitch of a running node away, or puts it back, as nodetool would. */
final class SnitchSwitch {
  private static final String SERVICE = "org.apache.cassandra.db:type=StorageService";
  private static final String URL = "service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi";

  private SnitchSwitch() {}

  /**
   * Sets it on one node.
   *
   * @param snitch the class name of the snitch below it, which stays as it is
   * @param dynamic whether the node shall have one
   * @throws RunException if the node cannot be asked or refuses
   */
  // JMX over RMI looks the node up by JNDI; it is a node that this JVM started, on 127.0.0.1.
  @SuppressWarnings("BanJNDI")
  static void set(Node node, String snitch, boolean dynamic) {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(URL.formatted(node.jmxPort())))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      String[] types = {
        String.class.getName(),
        Boolean.class.getName(),
        Integer.class.getName(),
        Integer.class.getName(),
        Double.class.getName()
      };
      Object[] values = {snitch, dynamic, null, null, null};
      server.invoke(new ObjectName(SERVICE), "updateSnitch", values, types);
    } catch (IOException | JMException e) {
      throw new RunException(
          node.name() + " cannot switch its dynamic snitch: " + e.getMessage(), e);
    }
  }
}
