/* SPDX-License-Identifier: Apache-2.0 */
/** Manx's metrics in Cassandra's own registry, where every monitoring system finds them. */
package dev.manx.cassandra.metrics;
