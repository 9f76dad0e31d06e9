/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.nio.file.Path;

/**
 * The Cassandra and the Java of a node.
 *
 * @param classpath file that holds the class path of a stock node
 * @param java folder of its Java
 */
public record NodeRuntime(Path classpath, Path java) {}
