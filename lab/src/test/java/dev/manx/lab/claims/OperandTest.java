/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.result.RowKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OperandTest {
  /** The page prints them, and must be equal in every run of Java. */
  @Test
  void paramsKeepTheirOrder() {
    Map<String, String> params = new LinkedHashMap<>();
    IntStream.range(0, 12).forEach(i -> params.put("p" + (i * 7) % 12, "" + i));
    Operand side = new Operand("a", RowKey.ALL, "70%", "P99", params);
    assertThat(side.params().keySet()).containsExactlyElementsOf(params.keySet());
  }
}
