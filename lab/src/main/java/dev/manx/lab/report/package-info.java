/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The report: one self-contained HTML page and one terminal table, made from nothing but the files
 * of a result directory.
 */
package dev.manx.lab.report;
