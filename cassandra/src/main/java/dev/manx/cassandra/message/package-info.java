/* SPDX-License-Identifier: Apache-2.0 */
/** Manx's own messages between nodes, over Cassandra's connections. */
package dev.manx.cassandra.message;
