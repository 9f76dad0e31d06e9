/* SPDX-License-Identifier: Apache-2.0 */
/** The result schema: every experiment writes these files, and the report reads only them. */
package dev.manx.workload.result;
