/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A cache's numbers as Micrometer meters; needs micrometer-core, which is an optional dependency.
 */
package dev.manx.client.metrics;
