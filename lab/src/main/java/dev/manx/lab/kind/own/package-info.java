/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments {@code on: own-cluster}: a user's statements on the user's own cluster. */
package dev.manx.lab.kind.own;
