/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A node of a local cluster: its addresses and its files.
 *
 * @param index from 1
 * @param host last number of its address, 127.0.0.host
 * @param folder its files: configuration, data, commit log, logs, pid
 */
public record Node(int index, int host, Path folder) {
  /** Port for connections between nodes. */
  public static final int STORAGE_PORT = 7000;

  /** Port of CQL. */
  public static final int NATIVE_PORT = 9042;

  /** {@code node2}. */
  public String name() {
    return "node" + index;
  }

  /** {@code 127.0.0.2}. */
  public String address() {
    return "127.0.0." + host;
  }

  /** JMX listens on 127.0.0.1 only, so each node has a separate port: 7199, 7299, ... */
  public int jmxPort() {
    return 7099 + 100 * host;
  }

  /** Cassandra's log. */
  public Path systemLog() {
    return folder.resolve("logs/system.log");
  }

  /** The JVM's output, from before logging begins. */
  public Path output() {
    return folder.resolve("logs/output.log");
  }

  /** Holds the process id while the node runs. */
  public Path pidFile() {
    return folder.resolve("pid");
  }

  /** Its tokens, evenly spread over the ring and interleaved with those of other nodes. */
  String initialTokens(int tokens, int nodes) {
    double step = Math.pow(2, 64) / ((double) tokens * nodes);
    return IntStream.range(0, tokens)
        .mapToObj(
            t -> Long.toString((long) (Long.MIN_VALUE + step * (t * (double) nodes + index - 0.5))))
        .collect(Collectors.joining(","));
  }
}
