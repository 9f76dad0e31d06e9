/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Restricts the threads of a running process (fewer cores, unequal priorities) and restores them,
 * whichever ends first: the squeeze, the process, or this tool.
 */
package dev.manx.contention.squeeze;
