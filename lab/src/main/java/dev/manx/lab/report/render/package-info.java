/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shows a report: the page and the terminal's text, made from {@code report.json} and nothing else.
 */
package dev.manx.lab.report.render;
