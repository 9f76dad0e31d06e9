/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.policy.NanoClock;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The node that writes a decision log, as described in the log.
 *
 * @param node its name, for readers and to identify it among {@code names}
 * @param nodes node ids are below this
 * @param names the addresses of the nodes with an id
 * @param readThreads number of reads that it executes concurrently
 * @param clock the clock of the log's times
 */
public record LogHost(
    String node,
    int nodes,
    Supplier<Map<Integer, String>> names,
    Supplier<Integer> readThreads,
    NanoClock clock) {}
