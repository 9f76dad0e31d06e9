/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Requests, service times and latencies from the decision logs of a cluster's nodes, prepared for
 * the simulator.
 */
package dev.manx.simulator.recorded;
