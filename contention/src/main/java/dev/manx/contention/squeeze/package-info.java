/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Restrains the threads of a running process (fewer cores, unequal priorities) and gives back what
 * it took, whatever ends first: the squeeze, the process, or we.
 */
package dev.manx.contention.squeeze;
