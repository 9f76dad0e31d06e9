/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Published claims as data, figures from result folders, verdicts computed from figures by rules,
 * and their page.
 */
package dev.manx.lab.claims;
