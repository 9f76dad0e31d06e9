/* SPDX-License-Identifier: Apache-2.0 */
/** Limits of the kernel on processes that were started here. */
package dev.manx.local.cgroup;
