/* SPDX-License-Identifier: Apache-2.0 */
/** The experiment file: typed, checked, and written back resolved. */
package dev.manx.lab.experiment;
