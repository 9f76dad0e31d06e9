/* SPDX-License-Identifier: Apache-2.0 */
/** The library's log. */
package dev.manx.client.log;
