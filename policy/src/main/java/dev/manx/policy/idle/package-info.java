/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How a thread waits for another without starving it. A thread that must wait for a condition that
 * another thread brings about, and cannot be woken by it, asks again and again; between two checks
 * it calls an {@link dev.manx.policy.idle.IdleStrategy}.
 */
package dev.manx.policy.idle;
