/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The common shape of all experiments: the resolved file, points and arms, the order of turns, and
 * the result files.
 */
package dev.manx.lab.experiment;
