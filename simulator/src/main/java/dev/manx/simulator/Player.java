/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * What a workload is played against.
 *
 * @param strategyDocument YAML whose only key is {@code strategy}; each coordinator and replica
 *     gets objects of its own
 * @param globalQueue whether, in place of the strategy's order, one queue serves all replicas: an
 *     idle core pulls the best read that its node may serve, at once. Nothing real can do that; it
 *     is the bound that BRB (section 2.2) calls the model
 */
public record Player(String strategyDocument, boolean globalQueue) {}
