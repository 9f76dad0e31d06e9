/* SPDX-License-Identifier: Apache-2.0 */
/** Settings as the library uses them. */
package dev.manx.client.config;
