/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The canary: which requests Manx acts on, and the evidence for its effect from the nodes'
 * counters.
 */
package dev.manx.operate.canary;
