/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The keys of experiment files as data: each kind of experiment declares its keys, and the
 * declaration gives parsing, the resolved file, the reference and the JSON schema.
 */
package dev.manx.lab.settings;
