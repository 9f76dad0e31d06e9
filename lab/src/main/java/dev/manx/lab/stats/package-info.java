/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Statistics of interleaved rounds: medians, seeded bootstrap intervals, paired comparison of arms.
 * Pure and deterministic; values are in whatever unit the caller uses.
 */
package dev.manx.lab.stats;
