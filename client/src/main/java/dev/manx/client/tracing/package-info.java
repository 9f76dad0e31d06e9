/* SPDX-License-Identifier: Apache-2.0 */
/** What follows queries that wait, and what carries their callers' context to loaders. */
package dev.manx.client.tracing;
