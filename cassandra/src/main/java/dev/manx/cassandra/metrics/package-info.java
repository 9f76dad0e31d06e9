/* SPDX-License-Identifier: Apache-2.0 */
/** What a monitoring sees of Manx: its metrics in Cassandra's own registry. */
package dev.manx.cassandra.metrics;
