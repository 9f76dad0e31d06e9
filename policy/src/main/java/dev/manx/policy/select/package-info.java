/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Ranks the replicas of a read. Every selector implements {@link dev.manx.policy.select.Selector}.
 */
package dev.manx.policy.select;
