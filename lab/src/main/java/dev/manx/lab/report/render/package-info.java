/* SPDX-License-Identifier: Apache-2.0 */
/** Shows a report: the page and the terminal's text, computed from {@code report.json} alone. */
package dev.manx.lab.report.render;
