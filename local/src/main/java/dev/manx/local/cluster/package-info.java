/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Local clusters of stock Apache Cassandra nodes, started from Maven artifacts and stopped
 * reliably.
 */
package dev.manx.local.cluster;
