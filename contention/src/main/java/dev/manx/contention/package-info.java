/* SPDX-License-Identifier: Apache-2.0 */
/** Squeezes storage engines and measures the effect on their threads. */
package dev.manx.contention;
