/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The replica's side: queues reads while all threads of the READ stage are busy, and serves them in
 * the strategy's order.
 */
package dev.manx.cassandra.read;
