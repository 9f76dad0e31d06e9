/* SPDX-License-Identifier: Apache-2.0 */
/** What the library logs. */
package dev.manx.client.log;
