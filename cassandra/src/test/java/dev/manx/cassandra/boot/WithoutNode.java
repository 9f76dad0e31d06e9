/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.TestSchema;
import java.net.InetAddress;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.SimpleSnitch;

/** What switches and the threads of the plugin ask of Cassandra, without a node. */
final class WithoutNode {
  private WithoutNode() {}

  static void settings() {
    TestSchema.load();
    DatabaseDescriptor.setBroadcastAddress(InetAddress.getLoopbackAddress());
    // The timer asks where nodes are.
    DatabaseDescriptor.setEndpointSnitch(new SimpleSnitch());
  }
}
