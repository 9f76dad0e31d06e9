/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a node's row shows the log that was asked for, also if its answer was lost. */
class RecordCommandTest {
  private static final String LOG = "on: 1KiB of 16MiB, %s sampled, in /var/log/manx.log";

  @ParameterizedTest
  @CsvSource({
    "50%, 50.0%, true",
    "50%, 1.0%, false",
    "7%, 7.000000000000001%, true",
    "0.0001%, 1.0E-4%, true",
    "on, 1.0%, true",
    "on, 100.0% of the requests, false",
    "requests, 100.0% of the requests, true",
    "requests, 100.0%, false",
    "requests 5%, 5.0% of the requests, true",
    "requests 5%, 100.0% of the requests, false",
    "5%, 5.0% of the requests, false",
    "off, 50.0%, false"
  })
  void aRunningLogIsComparedWithItsShare(String value, String share, boolean asAsked) {
    assertThat(RecordCommand.isAsAsked(value, LOG.formatted(share))).isEqualTo(asAsked);
  }

  @ParameterizedTest
  @CsvSource({
    "off, off, true",
    "50%, off, false",
    "50%, 'full: 16MiB of 16MiB, 50.0% sampled, in /log', false",
    "off, 'full: 16MiB of 16MiB, 50.0% sampled, in /log', true",
    "50%, 50%, true",
    "50%, 1%, false",
    "on, 100%, true",
    "requests, requests 100%, true",
    "50%, requests 50%, false",
    "50%, 'on: in the words of another version', true"
  })
  void otherRowsAndPersistedOnesAreCompared(String value, String row, boolean asAsked) {
    assertThat(RecordCommand.isAsAsked(value, row)).isEqualTo(asAsked);
  }
}
