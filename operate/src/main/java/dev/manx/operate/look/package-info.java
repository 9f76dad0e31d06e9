/* SPDX-License-Identifier: Apache-2.0 */
/** The state of every node of a cluster, read over CQL. */
package dev.manx.operate.look;
