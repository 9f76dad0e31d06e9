/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScrapeTest {
  private final Scrape scrape =
      new Scrape(
          """
          # HELP cassandra_manx_mode x
          # TYPE cassandra_manx_mode gauge
          cassandra_manx_mode 2.0
          cassandra_manx_hops{peer="127.0.0.1_7000",} NaN
          cassandra_manx_latency_seconds{group="acted",quantile="0.99",} 0.041
          cassandra_manx_latency_seconds{group="control",quantile="0.50",} 0.02
          cassandra_manx_faults_total 0.0
          """);

  @Test
  void samplesAreRead() {
    assertThat(scrape.names()).hasSize(4);
    assertThat(scrape.value("cassandra_manx_mode")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max by (cluster, peer) (cassandra_manx_hops{cluster=~\"$cluster\"}) > 1",
        "rate(cassandra_manx_faults_total{instance=~\"$i\"}[5m]) > 0",
        "cassandra_manx_latency_seconds{group=\"acted\", quantile=\"0.99\"} > ignoring (group) 2",
        "up{job=\"cassandra\"} == 1 unless on (instance) cassandra_manx_mode",
        "label_values(cassandra_manx_mode, cluster)",
      })
  void aQueryThatFindsAll(String query) {
    assertThat(scrape.missing(query)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cassandra_manx_modes == 1|cassandra_manx_modes",
        "cassandra_manx_mode{hook=\"a\"}|cassandra_manx_mode{hook=\"a\"}",
        "cassandra_manx_latency_seconds{group=\"acted\", quantile=\"0.50\"}"
            + "|cassandra_manx_latency_seconds{group=\"acted\", quantile=\"0.50\"}",
        "max by (colour) (cassandra_manx_mode)|label colour",
        "rat(cassandra_manx_faults_total[5m])|word rat",
        "node_load1 > 3|word node_load1",
      })
  void metricsMissingFromAQueryAreNamed(String query, String missing) {
    assertThat(scrape.missing(query)).containsExactly(missing);
  }
}
