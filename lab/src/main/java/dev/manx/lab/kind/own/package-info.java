/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments {@code on: own-cluster}: a user's statements on a cluster that somebody runs. */
package dev.manx.lab.kind.own;
