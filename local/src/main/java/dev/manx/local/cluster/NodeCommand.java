/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of one node: a stock CassandraDaemon, by default on Java 17. */
final class NodeCommand {
  /** Marks a process as started by Manx, independent of its pid file. */
  static final String MARKER = "-Dmanx.cluster=";

  // Modules that Cassandra needs opened on Java 17, as in its conf/jvm17-server.options.
  private static final List<String> EXPORTS =
      List.of(
          "java.base/jdk.internal.misc",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.sql/java.sql",
          "java.base/java.lang.ref",
          "jdk.unsupported/sun.misc",
          "jdk.compiler/com.sun.tools.javac.file",
          "jdk.attach/sun.tools.attach");
  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang.module",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.util.jar",
          "jdk.management/com.sun.management.internal",
          "java.base/sun.nio.ch",
          "java.base/java.io",
          "java.base/java.lang.reflect",
          "jdk.compiler/com.sun.tools.javac",
          "java.base/java.lang",
          "java.base/java.util");

  /** Direct memory besides memtables: caches, network buffers and hints. */
  private static final long OTHER_DIRECT_BYTES = 256L << 20;

  private NodeCommand() {}

  static List<String> of(ClusterSettings settings, Node node, ManxHome home, Path folder) {
    String classpath = home.nodeClasspath(settings);
    List<String> command = new ArrayList<>();
    Path java = home.nodeJava().orElseThrow(() -> new ClusterException(Preflight.NO_JAVA));
    command.add(java.resolve("bin/java").toString());
    command.add(MARKER + folder);
    command.add("-Dmanx.node=" + node.name());
    command.add("-javaagent:" + ManxHome.memoryMeter(classpath));
    command.add("-Xms" + settings.heapBytes());
    command.add("-Xmx" + settings.heapBytes());
    // Cassandra's own limit of memtables must come first: at the JVM's, the node ends.
    command.add(
        "-XX:MaxDirectMemorySize="
            + Math.max(settings.heapBytes(), settings.memtableBytes() + OTHER_DIRECT_BYTES));
    command.add("-Xss256k");
    command.add("-XX:+UseG1GC");
    command.add("-XX:MaxGCPauseMillis=300");
    command.add("-XX:+AlwaysPreTouch");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-XX:-UsePerfData");
    if (settings.jit().equals("c1")) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.add("-Djdk.attach.allowAttachSelf=true");
    command.add("-Dio.netty.tryReflectionSetAccessible=true");
    command.add("-Dio.netty.allocator.useCacheForAllThreads=true");
    command.add("-Dio.netty.allocator.maxOrder=11");
    EXPORTS.forEach(export -> command.add("--add-exports=" + export + "=ALL-UNNAMED"));
    OPENS.forEach(open -> command.add("--add-opens=" + open + "=ALL-UNNAMED"));
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Dcassandra.config=" + node.folder().resolve("cassandra.yaml").toUri());
    // A node that is killed leaves its libraries there; its folder is deleted.
    command.add("-Djava.io.tmpdir=" + node.folder().resolve(NodeFiles.TEMPORARY));
    command.add("-Dcassandra.storagedir=" + node.folder());
    command.add("-Dcassandra.logdir=" + node.folder().resolve("logs"));
    command.add("-Dlogback.configurationFile=" + node.folder().resolve("logback.xml").toUri());
    command.add("-Dcassandra-rackdc.properties=" + node.folder().resolve(NodeFiles.RACK).toUri());
    command.add("-Dcassandra-foreground=yes");
    command.add("-Dcassandra.jmx.local.port=" + node.jmxPort());
    if (node.index() <= settings.nodes()) {
      // All nodes are known and empty, so gossip need not settle.
      command.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
      // After this silence gossip forgets a node without tokens, and with it schema changes. A
      // silence of two seconds can happen by chance.
      command.add(
          "-Dcassandra.ring_delay_ms=" + (settings.coordinatorsOnly() > 0 ? 10_000 : 2_000));
    } else {
      // A joining node must know the others before it requests data from them.
      command.add("-Dcassandra.ring_delay_ms=10000");
    }
    if (settings.isCoordinatorOnly(node.index())) {
      command.add("-Dcassandra.join_ring=false");
    }
    if (settings.plugin()) {
      command.add("-Dcassandra.custom_query_handler_class=dev.manx.cassandra.ManxQueryHandler");
      command.add("-Dmanx.config=" + node.folder().resolve("manx.yaml"));
    }
    settings.jvmOptions().forEach(option -> command.add(option.replace("{node}", node.name())));
    command.add("-cp");
    command.add(classpath);
    command.add("org.apache.cassandra.service.CassandraDaemon");
    return command;
  }
}
