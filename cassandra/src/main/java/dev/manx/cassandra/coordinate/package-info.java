/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The coordinator's side: recognises fan-out requests, plans them, and gives the plan's ranking to
 * Cassandra's choice of replicas.
 */
package dev.manx.cassandra.coordinate;
