/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.workload.CheckedValues.Verdict;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedValuesTest {
  @ParameterizedTest
  @ValueSource(ints = {28, 29, 35, 36, 1024, 65536})
  void roundTrip(int bytes) {
    String key = bytes + "_17";
    ByteBuffer value = CheckedValues.encode(key, 5, bytes);
    assertThat(value.remaining()).isEqualTo(bytes);
    assertThat(CheckedValues.verify(key, value)).isEqualTo(Verdict.OK);
    assertThat(CheckedValues.version(value)).isEqualTo(5);
    assertThat(value.remaining()).isEqualTo(bytes);
    assertThat(CheckedValues.encode(key, 5, bytes)).isEqualTo(value);
    assertThat(CheckedValues.encode(key, 6, bytes)).isNotEqualTo(value);
  }

  @Test
  void valuesInsideALargerDirectBufferAreUnderstood() {
    ByteBuffer value = CheckedValues.encode("100_1", 1, 100);
    ByteBuffer frame = ByteBuffer.allocateDirect(200).position(33).put(value).flip().position(33);
    assertThat(CheckedValues.verify("100_1", frame.asReadOnlyBuffer())).isEqualTo(Verdict.OK);
  }

  @Test
  void everyFlippedBitIsFound() {
    ByteBuffer value = CheckedValues.encode("131_9", 3, 131);
    for (int bit = 0; bit < 131 * 8; bit++) {
      byte before = value.get(bit / 8);
      value.put(bit / 8, (byte) (before ^ 1 << bit % 8));
      assertThat(CheckedValues.verify("131_9", value)).as("bit %d", bit).isNotEqualTo(Verdict.OK);
      value.put(bit / 8, before);
    }
    assertThat(CheckedValues.verify("131_9", value)).isEqualTo(Verdict.OK);
  }

  @Test
  void everyCutIsFound() {
    ByteBuffer value = CheckedValues.encode("64_9", 3, 64);
    for (int length = 4; length < 64; length++) {
      assertThat(CheckedValues.verify("64_9", value.duplicate().limit(length)))
          .as("%d bytes", length)
          .isEqualTo(Verdict.WRONG_LENGTH);
    }
    assertThat(CheckedValues.verify("64_9", ByteBuffer.allocate(0))).isEqualTo(Verdict.CORRUPT);
    ByteBuffer longer = ByteBuffer.allocate(65).put(value.duplicate()).rewind();
    assertThat(CheckedValues.verify("64_9", longer)).isEqualTo(Verdict.WRONG_LENGTH);
  }

  @Test
  void anotherKeysValueIsFound() {
    assertThat(CheckedValues.verify("64_8", CheckedValues.encode("64_9", 3, 64)))
        .isEqualTo(Verdict.WRONG_KEY);
  }

  @Test
  void aLengthOtherThanTheKeysIsFound() {
    assertThat(CheckedValues.verify("64_9", CheckedValues.encode("64_9", 3, 65)))
        .isEqualTo(Verdict.WRONG_LENGTH);
    assertThat(CheckedValues.verify("plain", CheckedValues.encode("plain", 3, 65)))
        .isEqualTo(Verdict.OK);
  }

  @Test
  void foreignBytesAreCorrupt() {
    assertThat(CheckedValues.verify("64_9", ByteBuffer.allocate(64))).isEqualTo(Verdict.CORRUPT);
    assertThatThrownBy(() -> CheckedValues.encode("27_1", 1, 27))
        .hasMessageContaining("28 bytes, but has 27");
  }
}
