/* SPDX-License-Identifier: Apache-2.0 */
/** Switches Manx on the nodes of a cluster, and reports the outcome for each node. */
package dev.manx.operate.ctl;
