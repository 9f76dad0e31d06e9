/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Spans of OpenTelemetry for what waits, and loaders called in the context of their query.
 *
 * <pre>{@code
 * FanoutCache cache =
 *     FanoutCache.builder().tracing(OpenTelemetryTracing.of(openTelemetry)).open();
 * }</pre>
 *
 * <p>{@link dev.manx.client.opentelemetry.OpenTelemetryTracing} names the spans and their
 * attributes.
 */
package dev.manx.client.opentelemetry;
