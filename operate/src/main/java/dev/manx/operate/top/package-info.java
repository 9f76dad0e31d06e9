/* SPDX-License-Identifier: Apache-2.0 */
/** A live view of a cluster, in a terminal. */
package dev.manx.operate.top;
