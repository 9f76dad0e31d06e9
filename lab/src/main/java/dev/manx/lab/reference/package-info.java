/* SPDX-License-Identifier: Apache-2.0 */
/** The settings of all policies as tables for readers and as a JSON schema for editors. */
package dev.manx.lab.reference;
