/* SPDX-License-Identifier: Apache-2.0 */
/**
 * References that no real system can have, for the simulator only: one queue for a whole cluster.
 */
package dev.manx.policy.bound;
