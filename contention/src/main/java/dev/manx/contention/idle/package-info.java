/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Idle strategies under a squeeze, in a JVM: threads that sometimes must wait for each other, fewer
 * cores than threads, and unequal priorities.
 */
package dev.manx.contention.idle;
