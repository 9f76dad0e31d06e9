/* SPDX-License-Identifier: Apache-2.0 */
/** Small applications that use Manx. */
package dev.manx.examples;
