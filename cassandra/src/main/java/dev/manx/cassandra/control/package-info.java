/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Keeps the plugin safe and observable: mode, breaker, guard against throwables and stalls,
 * counters.
 */
package dev.manx.cassandra.control;
