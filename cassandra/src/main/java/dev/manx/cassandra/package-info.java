/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Adapts a stock Cassandra node to Manx's policies: the entry class, and the engine that all hooks
 * share.
 */
package dev.manx.cassandra;
