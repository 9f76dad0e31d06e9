/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The order in which a replica serves queued reads. Every order implements {@link
 * dev.manx.policy.order.Order}; {@link dev.manx.policy.order.SharedOrder} makes one safe for many
 * threads.
 */
package dev.manx.policy.order;
