/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The coordinator's side: recognizes fan-out requests, plans them, and applies the plan's ranking
 * to Cassandra's choice of replicas.
 */
package dev.manx.cassandra.coordinate;
