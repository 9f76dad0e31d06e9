/* SPDX-License-Identifier: Apache-2.0 */
/** Tables and text for terminals. */
package dev.manx.operate.text;
