/* SPDX-License-Identifier: Apache-2.0 */
/** Sends users' statements, with keys sampled from their tables. */
package dev.manx.load.own;
