/* SPDX-License-Identifier: Apache-2.0 */
/** Kernel limits on processes started by Manx. */
package dev.manx.local.cgroup;
