/* SPDX-License-Identifier: Apache-2.0 */
/** Decides what a node's decision log recorded again, by the same strategy or by another. */
package dev.manx.simulator.replay;
