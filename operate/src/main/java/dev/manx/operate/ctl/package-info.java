/* SPDX-License-Identifier: Apache-2.0 */
/** Switches Manx on the nodes of a cluster, and says of each node what became of it. */
package dev.manx.operate.ctl;
