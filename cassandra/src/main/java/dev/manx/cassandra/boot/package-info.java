/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Starts the plugin, installs its hooks in Cassandra's path and removes them, and switches modes
 * and strategies.
 */
package dev.manx.cassandra.boot;
