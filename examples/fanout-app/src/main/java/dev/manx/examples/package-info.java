/* SPDX-License-Identifier: Apache-2.0 */
/** Applications that use Manx, small enough to read at one go. */
package dev.manx.examples;
