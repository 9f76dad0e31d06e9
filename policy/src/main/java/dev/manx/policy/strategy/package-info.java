/* SPDX-License-Identifier: Apache-2.0 */
/** One YAML document makes one wired strategy; the registry of all policies. */
package dev.manx.policy.strategy;
