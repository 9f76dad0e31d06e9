/* SPDX-License-Identifier: Apache-2.0 */
/** Merges the statistics of several application servers: the server and its client. */
package dev.manx.client.exchange;
