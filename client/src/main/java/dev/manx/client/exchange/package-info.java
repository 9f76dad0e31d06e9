/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The statistics server and its clients: merges the statistics of several application servers, and
 * forwards their invalidations.
 */
package dev.manx.client.exchange;
