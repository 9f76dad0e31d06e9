/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A coordinator's knowledge of the nodes: the facts that nodes report, with their ages and wire
 * form, and the reads that are outstanding at each.
 */
package dev.manx.policy.facts;
