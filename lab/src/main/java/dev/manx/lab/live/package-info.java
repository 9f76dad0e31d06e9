/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments {@code on: cache-live}: a real cache before real backends, one of them squeezed. */
package dev.manx.lab.live;
