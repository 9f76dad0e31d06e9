/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From the decision logs of a cluster's nodes to what each strategy would make of its requests, and
 * to a word on whether that is to be believed.
 */
package dev.manx.lab.advise;
