/* SPDX-License-Identifier: Apache-2.0 */
/** Statistics of several application servers come together: the server and its client. */
package dev.manx.client.exchange;
