/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How a thread waits for another without starving it. A thread that waits for a condition which
 * another thread fulfils, and that cannot be woken, checks it repeatedly; between two checks it
 * calls an {@link dev.manx.policy.idle.IdleStrategy}.
 */
package dev.manx.policy.idle;
