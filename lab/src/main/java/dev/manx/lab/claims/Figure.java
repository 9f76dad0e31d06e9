/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.stats.Estimate;

/**
 * A number of ours.
 *
 * @param value median over rounds with its 95 % interval
 * @param of which case it is, where it is the largest or smallest of several; else empty
 */
record Figure(Estimate value, String of) {}
