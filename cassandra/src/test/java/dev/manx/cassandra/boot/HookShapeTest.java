/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.coordinate.ManxSnitch;
import dev.manx.cassandra.coordinate.PlanningHandler;
import dev.manx.cassandra.read.ReadStage;
import org.apache.cassandra.cql3.CQLStatement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HookShapeTest {
  /** A type of Cassandra's with a method that Manx does not know. */
  private interface Grown {
    void known();

    void added();
  }

  /** Like a class compiled before the method was added. */
  abstract static class Older implements Grown {
    @Override
    public void known() {}
  }

  @Test
  void aClassThatLacksAMethodIsNamedWithIt() {
    assertThatThrownBy(() -> HookShape.complete(Older.class))
        .isInstanceOf(NoSuchMethodException.class)
        .hasMessageContaining("Older lacks")
        .hasMessageContaining("added()");
  }

  @ParameterizedTest
  @ValueSource(classes = {ReadStage.class, ManxSnitch.class, PeerEvents.class})
  void classesInCassandrasPathAreComplete(Class<?> ours) {
    assertThatCode(() -> HookShape.complete(ours)).doesNotThrowAnyException();
  }

  /** A type of Cassandra's with a method that not every class has. */
  private interface Asked {
    void known();

    default boolean added() {
      return false;
    }
  }

  private static final class StandsIn implements Asked {
    @Override
    public void known() {}
  }

  @Test
  void aReplacementPassesEveryCallOn() {
    assertThatThrownBy(() -> HookShape.passesOn(StandsIn.class, Asked.class))
        .isInstanceOf(NoSuchMethodException.class)
        .hasMessageContaining("StandsIn does not pass on")
        .hasMessageContaining("added()");
    assertThatThrownBy(() -> HookShape.passesOn(Older.class, Grown.class))
        .hasMessageContaining("added()");
    assertThatCode(() -> HookShape.passesOn(PlanningHandler.inThePath(), CQLStatement.class))
        .doesNotThrowAnyException();
  }
}
