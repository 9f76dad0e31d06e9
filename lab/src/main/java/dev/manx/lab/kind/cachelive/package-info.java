/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on a real cache in front of real backends. */
package dev.manx.lab.kind.cachelive;
