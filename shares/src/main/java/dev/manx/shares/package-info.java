/* SPDX-License-Identifier: Apache-2.0 */
/** Which backend gets which share of a cache: statistics, share policies, miss curves. */
package dev.manx.shares;
