/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.stats.Estimate;

/**
 * A measured or simulated number.
 *
 * @param value median over rounds with its 95 % interval; of several cases, the largest or smallest
 *     median with the interval of the maximum or minimum
 * @param name of the case, if it is the largest or smallest of several; otherwise empty
 */
record Figure(Estimate value, String of) {}
