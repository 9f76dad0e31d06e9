/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Connects to a cluster that others run: addresses, login, TLS, one session for each node, and
 * errors in plain words.
 */
package dev.manx.load.connect;
