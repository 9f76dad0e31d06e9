/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Starts the plugin, puts its hooks into Cassandra's path and takes them out again, and switches
 * modes and strategies.
 */
package dev.manx.cassandra.boot;
