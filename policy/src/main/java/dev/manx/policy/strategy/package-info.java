/* SPDX-License-Identifier: Apache-2.0 */
/** Builds one wired strategy from one YAML document; the registry of all policies. */
package dev.manx.policy.strategy;
