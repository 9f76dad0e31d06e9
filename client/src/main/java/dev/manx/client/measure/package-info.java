/* SPDX-License-Identifier: Apache-2.0 */
/** Measurements of a live cache that share policies need in addition to its statistics. */
package dev.manx.client.measure;
