/* SPDX-License-Identifier: Apache-2.0 */
/** Asks and shows: experiments, claims, statistics, reports and the one command line. */
package dev.manx.lab;
