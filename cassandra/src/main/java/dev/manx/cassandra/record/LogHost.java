/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import java.util.Map;
import java.util.function.Supplier;

/**
 * The node that writes a decision log, as the log describes it.
 *
 * @param node its name, for people and to tell which of {@code names} it is
 * @param nodes node ids are below this
 * @param names the addresses of the nodes that have an id
 * @param readThreads how many reads it executes at once
 */
public record LogHost(
    String node, int nodes, Supplier<Map<Integer, String>> names, Supplier<Integer> readThreads) {}
