/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on divided caches in virtual time. */
package dev.manx.lab.kind.cache;
