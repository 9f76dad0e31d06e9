/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Connects to an existing cluster: addresses, login, TLS, one session for each node, and errors in
 * plain words.
 */
package dev.manx.load.connect;
