/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Requests, service times and latencies as the decision logs of a cluster's nodes have them, made
 * ready to be played.
 */
package dev.manx.simulator.recorded;
