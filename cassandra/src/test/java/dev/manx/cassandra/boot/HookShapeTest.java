/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.coordinate.ManxSnitch;
import dev.manx.cassandra.coordinate.PlanningHandler;
import dev.manx.cassandra.read.ReadStage;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
  }

  /** Cassandra's wider type of a JDK's one; its compiler adds a method that calls the narrower. */
  private interface Wide extends Callable<Object> {
    @Override
    String call();

    default void own() {}
  }

  private abstract static class Base implements Wide {
    @Override
    public String call() {
      return "";
    }
  }

  private static final class Passing extends Base {
    @Override
    public void own() {}
  }

  private static final class NotPassing extends Base {}

  @Test
  void aSuperclassOfManxPassesCallsOnToo() {
    assertThat(Arrays.stream(Wide.class.getMethods()).filter(Method::isSynthetic))
        .as("the compiler's own")
        .isNotEmpty();
    assertThatCode(() -> HookShape.passesOn(Passing.class, Wide.class)).doesNotThrowAnyException();
    assertThatThrownBy(() -> HookShape.passesOn(NotPassing.class, Wide.class))
        .hasMessageContaining("NotPassing does not pass on")
        .hasMessageContaining("own()");
  }

  /** The JVM decides which methods these have. */
  @Test
  void methodsOfTheJdkAreNotLookedFor() {
    assertThatCode(() -> HookShape.passesOn(StandsIn.class, ExecutorService.class))
        .doesNotThrowAnyException();
  }

  static Stream<Arguments> replacements() {
    return Stream.of(
        Arguments.of(PlanningHandler.inThePath(), CQLStatement.SingleKeyspaceCqlStatement.class),
        Arguments.of(ManxSnitch.class, IEndpointSnitch.class),
        Arguments.of(DynamicSnitch.class, IEndpointSnitch.class),
        Arguments.of(ReadStage.class, LocalAwareExecutorPlus.class));
  }

  /** A default method that a later Cassandra adds would otherwise answer for Manx's object. */
  @ParameterizedTest
  @MethodSource("replacements")
  void replacementsOfCassandrasObjectsPassEveryCallOn(Class<?> ours, Class<?> type) {
    assertThatCode(() -> HookShape.passesOn(ours, type)).doesNotThrowAnyException();
  }
}
