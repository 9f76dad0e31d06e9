/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import dev.manx.workload.PlannedRequest;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Checks the rows of one request against its keys. One thread at a time. */
final class RowCheck {
  private final Map<String, Boolean> seen;
  private int rows;
  private int wrong;
  private int duplicates;

  RowCheck(KeySpace keySpace, PlannedRequest request) {
    seen = new HashMap<>(request.reads() * 2);
    for (int read = 0; read < request.reads(); read++) {
      seen.put(keySpace.key(request.keyId(read)), false);
    }
  }

  /** Checks a row; a row not requested or without a value is wrong. */
  void row(String key, ByteBuffer value) {
    rows++;
    Boolean before = key == null ? null : seen.get(key);
    if (before == null) {
      wrong++;
    } else if (before) {
      duplicates++;
    } else {
      seen.put(key, true);
      if (value == null || CheckedValues.verify(key, value) != CheckedValues.Verdict.OK) {
        wrong++;
      }
    }
  }

  RequestOutcome outcome() {
    int missing = 0;
    for (boolean came : seen.values()) {
      missing += came ? 0 : 1;
    }
    return new RequestOutcome(RequestOutcome.Kind.OK, rows, wrong, missing, duplicates, "");
  }
}
