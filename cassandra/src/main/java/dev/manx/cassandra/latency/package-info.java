/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Gives Cassandra's table metrics the time of each read of a multiget that Manx reads in parallel.
 */
package dev.manx.cassandra.latency;
