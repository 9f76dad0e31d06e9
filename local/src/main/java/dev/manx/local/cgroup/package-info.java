/* SPDX-License-Identifier: Apache-2.0 */
/** Limits of the kernel on processes that the lab has started. */
package dev.manx.local.cgroup;
