/* SPDX-License-Identifier: Apache-2.0 */
/** Which requests Manx acts on while an operator tries it; the others show what it is worth. */
package dev.manx.cassandra.canary;
