/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Published claims as data, figures taken from result folders, verdicts computed from figures by
 * rules, and the page that shows them.
 */
package dev.manx.lab.claims;
