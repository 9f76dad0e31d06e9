/* SPDX-License-Identifier: Apache-2.0 */
/** Sends statements that users wrote, with keys sampled from their own tables. */
package dev.manx.load.own;
