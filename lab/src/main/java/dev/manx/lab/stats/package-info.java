/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Statistics of interleaved rounds: medians, seeded bootstrap intervals, paired comparison of arms.
 * Pure and deterministic; values are in the caller's unit.
 */
package dev.manx.lab.stats;
