/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.TestSchema;
import java.net.InetAddress;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.SimpleSnitch;

/** Replaces Cassandra for switches and threads of the plugin, without a node. */
final class WithoutNode {
  private WithoutNode() {}

  static void settings() {
    TestSchema.load();
    DatabaseDescriptor.setBroadcastAddress(InetAddress.getLoopbackAddress());
    // The timer needs the locations of nodes.
    DatabaseDescriptor.setEndpointSnitch(new SimpleSnitch());
  }
}
