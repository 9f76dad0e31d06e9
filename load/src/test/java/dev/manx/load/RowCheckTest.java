/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import dev.manx.workload.PlannedRequest;
import dev.manx.workload.SizeClass;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowCheckTest {
  private final KeySpace keys = new KeySpace(10, List.of(new SizeClass(64, 1)), 65, 1);
  private final RowCheck check = new RowCheck(keys, new PlannedRequest(0, 0, false, 1, 2, 3));

  @Test
  void everyRowOnceAndRight() {
    check.row("64_3", value(3));
    check.row("64_1", value(1));
    check.row("64_2", value(2));
    assertThat(check.outcome()).isEqualTo(RequestOutcome.ok(3));
  }

  @Test
  void missingRows() {
    check.row("64_1", value(1));
    assertThat(check.outcome())
        .isEqualTo(new RequestOutcome(RequestOutcome.Kind.OK, 1, 0, 2, 0, ""));
    assertThat(check.outcome().wrong()).isEqualTo(2);
  }

  @Test
  void rowsThatComeAgain() {
    check.row("64_1", value(1));
    check.row("64_1", value(1));
    check.row("64_2", value(2));
    check.row("64_3", value(3));
    assertThat(check.outcome())
        .isEqualTo(new RequestOutcome(RequestOutcome.Kind.OK, 4, 0, 0, 1, ""));
  }

  @Test
  void wrongRows() {
    check.row("64_1", value(2));
    check.row("64_2", null);
    check.row("64_3", ByteBuffer.allocate(64));
    check.row("64_4", value(4));
    check.row(null, value(4));
    assertThat(check.outcome())
        .isEqualTo(new RequestOutcome(RequestOutcome.Kind.OK, 5, 5, 0, 0, ""));
  }

  private ByteBuffer value(int id) {
    return CheckedValues.encode(keys.key(id), 1, 64);
  }
}
