/* SPDX-License-Identifier: Apache-2.0 */
/** Tracing of waiting queries, and transfer of their callers' context to loaders. */
package dev.manx.client.tracing;
