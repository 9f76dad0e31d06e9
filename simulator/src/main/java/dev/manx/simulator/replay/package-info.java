/* SPDX-License-Identifier: Apache-2.0 */
/** Repeats the decisions in a node's decision log, with the recorded strategy or another. */
package dev.manx.simulator.replay;
