/* SPDX-License-Identifier: Apache-2.0 */
/** Reads that wait at their coordinator until a node may have them. */
package dev.manx.policy.hold;
