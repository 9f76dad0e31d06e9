/* SPDX-License-Identifier: Apache-2.0 */
/** The laboratory: experiments, claims, statistics, reports and the command line. */
package dev.manx.lab;
