/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments {@code on: cache}: read, played on all cores, written. */
package dev.manx.lab.cache;
