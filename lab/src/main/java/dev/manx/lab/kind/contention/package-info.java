/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on a storage engine whose threads are squeezed. */
package dev.manx.lab.kind.contention;
