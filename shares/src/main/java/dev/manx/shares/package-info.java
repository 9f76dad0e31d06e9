/* SPDX-License-Identifier: Apache-2.0 */
/** Division of a cache among backends: statistics, share policies, miss curves. */
package dev.manx.shares;
