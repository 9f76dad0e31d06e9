/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A model of slow storage for experiments, and the exchange of latencies between their arms. It is
 * in a separate jar that is never installed on production nodes.
 */
package dev.manx.cassandra.lab;
