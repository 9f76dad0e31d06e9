/* SPDX-License-Identifier: Apache-2.0 */
/** What share policies want to know of a live cache beside its statistics. */
package dev.manx.client.measure;
