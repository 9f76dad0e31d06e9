/* SPDX-License-Identifier: Apache-2.0 */
/** Serves an application: fan-out requests over a cache whose space follows the slowest backend. */
package dev.manx.client;
