/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings of all policies and experiments, as tables for readers and as JSON schemas for
 * editors.
 */
package dev.manx.lab.reference;
