/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Simulates strategies on the requests in the decision logs of a cluster's nodes, and judges how
 * far the results can be trusted.
 */
package dev.manx.lab.advise;
