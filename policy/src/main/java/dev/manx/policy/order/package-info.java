/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Which queued read a replica serves next. Every order implements {@link
 * dev.manx.policy.order.Order}; {@link dev.manx.policy.order.SharedOrder} makes one safe for many
 * threads.
 */
package dev.manx.policy.order;
