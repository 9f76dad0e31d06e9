/* SPDX-License-Identifier: Apache-2.0 */
/** Contract suites that every store and second level must pass, also those of a third party. */
package dev.manx.client.testkit;
