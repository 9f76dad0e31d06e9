/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads settings from YAML: every value keeps its file, line and key, and every refusal states the
 * allowed values.
 */
package dev.manx.policy.config;
