/* SPDX-License-Identifier: Apache-2.0 */
/** Tables and words for terminals. */
package dev.manx.operate.text;
