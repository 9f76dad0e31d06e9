/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The keys of experiment files as data: each kind of experiment declares its own, and parsing, the
 * resolved file, the reference and the JSON schema come from the declaration.
 */
package dev.manx.lab.settings;
