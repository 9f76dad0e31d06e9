/* SPDX-License-Identifier: Apache-2.0 */
/** Squeezes storage engines and measures what their threads suffer. */
package dev.manx.contention;
