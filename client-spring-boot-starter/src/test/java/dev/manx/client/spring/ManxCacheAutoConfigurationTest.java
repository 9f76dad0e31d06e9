/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.invalidation.InvalidationStats;
import dev.manx.client.metrics.FanoutCacheMetrics;
import dev.manx.client.store.Sizers;
import dev.manx.policy.config.ConfigNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.util.ClassUtils;

class ManxCacheAutoConfigurationTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          // Not by their classes: the test includes the file that names them.
          .withConfiguration(ours());

  private static AutoConfigurations ours() {
    return AutoConfigurations.of(
        StreamSupport.stream(
                ImportCandidates.load(
                        AutoConfiguration.class,
                        ManxCacheAutoConfigurationTest.class.getClassLoader())
                    .spliterator(),
                false)
            .filter(name -> name.startsWith("dev.manx."))
            .map(name -> ClassUtils.resolveClassName(name, null))
            .toArray(Class<?>[]::new));
  }

  /** An application's backend: a bean made of the cache. */
  @Configuration(proxyBeanMethods = false)
  static class Songs {
    @Bean
    Backend<Integer, String> songs(FanoutCache cache) {
      return cache.add(
          BackendSpec.of(
              "songs",
              Sizers.of(Sizers::number, Sizers::text),
              (List<Integer> keys) -> CompletableFuture.completedFuture(Map.of(7, "seven"))));
    }
  }

  /** An application's registry. */
  @Configuration(proxyBeanMethods = false)
  static class Registry {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @Test
  void settingsAreThoseOfTheGuideAndTheCacheIsClosedWithTheContext() {
    FanoutCache[] opened = new FanoutCache[1];
    application
        .withUserConfiguration(Songs.class)
        .withPropertyValues(
            "size=64MiB",
            "manx.cache.capacity=${size}",
            "manx.cache.policy.policy=cache.paced",
            "manx.cache.policy.tax=2%",
            "manx.cache.store=lru",
            "manx.cache.record-every=4",
            "manx.cache.shadow=true",
            "manx.cache.backend.time-out=1s",
            "manx.cache.backends.songs.time-out=50ms",
            "manx.cache.backends[Top_songs.10].time-out=60ms")
        .run(
            context -> {
              FanoutCache cache = context.getBean(FanoutCache.class);
              opened[0] = cache;
              assertThat(cache.settings().capacityBytes()).isEqualTo(64 << 20);
              assertThat(cache.settings().strategy().written()).containsEntry("tax", "0.02");
              assertThat(cache.settings().recordEvery()).isEqualTo(4);
              assertThat(cache.settings().backends()).containsOnlyKeys("songs", "Top_songs.10");
              assertThat(cache.settings().shadow()).isTrue();
              assertThat(cache.settings().standard().timeOut()).isEqualTo(Duration.ofSeconds(1));
              @SuppressWarnings("unchecked")
              Backend<Integer, String> songs = context.getBean("songs", Backend.class);
              assertThat(songs.settings().timeOut()).isEqualTo(Duration.ofMillis(50));
              try (FanoutRequest request = cache.request()) {
                assertThat(request.queryOne(songs, 7).join()).isEqualTo("seven");
              }
            });
    assertThatThrownBy(() -> new Songs().songs(opened[0])).hasMessageContaining("closed");
  }

  /** In application.yml such a backend is a key without a value. */
  @Test
  void aBackendWithoutSettingsHasTheDefaults() {
    application
        .withUserConfiguration(Songs.class)
        .withPropertyValues("manx.cache.backends.songs=")
        .run(
            context ->
                assertThat(context.getBean("songs", Backend.class).settings().timeOut())
                    .isEqualTo(Duration.ofSeconds(2)));
  }

  @Test
  void aWrongPropertyEndsTheStartWithWhatIsAllowed() {
    application
        .withPropertyValues("manx.cache.capacity=3")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageStartingWith("properties manx.cache: capacity = '3' is invalid"));
    application
        .withPropertyValues("manx.cache.store.kind=redis", "manx.cache.store.instances.a=redis://x")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("dev.manx:manx-client-redis"));
  }

  /** A variable's name cannot contain a dash, and setting names are an open set. */
  @Test
  void environmentVariablesReachSettingsOfOneWord() {
    withEnvironment(
            Map.of("MANX_CACHE_CAPACITY", "64MiB", "MANX_CACHE_BACKENDS_SONGS_JITTER", "5%"))
        .run(
            context -> {
              FanoutCache cache = context.getBean(FanoutCache.class);
              assertThat(cache.settings().capacityBytes()).isEqualTo(64 << 20);
              assertThat(cache.settings().backends()).containsOnlyKeys("songs");
            });
    withEnvironment(Map.of("MANX_CACHE_RECORD_EVERY", "4"))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("record: unknown key"));
    withEnvironment(Map.of("RECORD_EVERY", "4"))
        .withPropertyValues("manx.cache.record-every=${RECORD_EVERY}")
        .run(
            context ->
                assertThat(context.getBean(FanoutCache.class).settings().recordEvery())
                    .isEqualTo(4));
  }

  /** Kubernetes sets them for a Service that is called manx-cache, or begins so. */
  @Test
  void variablesOfAServiceAreNotSettings() {
    withEnvironment(
            Map.of(
                "MANX_CACHE_SERVICE_HOST", "10.0.0.1",
                "MANX_CACHE_SERVICE_PORT", "6379",
                "MANX_CACHE_SERVICE_PORT_REDIS", "6379",
                "MANX_CACHE_PORT", "tcp://10.0.0.1:6379",
                "MANX_CACHE_PORT_6379_TCP", "tcp://10.0.0.1:6379",
                "MANX_CACHE_PORT_6379_TCP_ADDR", "10.0.0.1",
                "MANX_CACHE_STORE_SERVICE_HOST", "10.0.0.2",
                "MANX_CACHE_STORE_PORT", "tcp://10.0.0.2:6379",
                "MANX_CACHE_CAPACITY", "64MiB"))
        .withPropertyValues("manx.cache.store=lru")
        .run(
            context ->
                assertThat(context.getBean(FanoutCache.class).settings().capacityBytes())
                    .isEqualTo(64 << 20));
    withEnvironment(Map.of("MANX_CACHE_PORT", "6379"))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("port: unknown key"));
  }

  private ApplicationContextRunner withEnvironment(Map<String, Object> variables) {
    return application.withInitializer(
        context ->
            context
                .getEnvironment()
                .getPropertySources()
                .addFirst(
                    new SystemEnvironmentPropertySource(
                        "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        variables)));
  }

  /** Spring Boot prints an analysis instead of a stack trace. */
  @Test
  void aWrongPropertyIsAnalyzed() {
    application
        .withPropertyValues("manx.cache.capacity=3")
        .run(
            context ->
                assertThat(analyses(context.getStartupFailure()))
                    .first(as(STRING))
                    .contains("capacity = '3' is invalid; allowed: a size from"));
  }

  @Test
  void settingsOfTheApplicationsOwnFilesAreNotTakenForProperties() {
    application
        .withBean(
            FanoutCacheCustomizer.class,
            () -> builder -> builder.configure(ConfigNode.parse("own.yaml", "capacity: 3")))
        .run(
            context -> {
              assertThat(context.getStartupFailure())
                  .rootCause()
                  .hasMessageStartingWith("own.yaml");
              assertThat(analyses(context.getStartupFailure())).isEmpty();
            });
  }

  private List<String> analyses(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
        // Spring Boot's own analyzers need an application.
        .load(FailureAnalyzer.class, FailureHandler.handleMessage((words, cause) -> {}))
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .map(FailureAnalysis::getDescription)
        .toList();
  }

  @Test
  void customizersComeAfterTheProperties() {
    application
        .withPropertyValues("manx.cache.capacity=64MiB", "manx.cache.record-every=4")
        .withBean(FanoutCacheCustomizer.class, () -> builder -> builder.capacity(8 << 20))
        .run(
            context -> {
              FanoutCache cache = context.getBean(FanoutCache.class);
              assertThat(cache.settings().capacityBytes()).isEqualTo(8 << 20);
              assertThat(cache.settings().recordEvery()).isEqualTo(4);
            });
  }

  @Test
  void stepsAsideForAnotherCacheAndWhenItIsSwitchedOff() {
    application
        .withPropertyValues("manx.cache.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(FanoutCache.class));
    application
        .withBean("own", FanoutCache.class, () -> FanoutCache.builder().drivenByHost().open())
        .withPropertyValues("manx.cache.capacity=3")
        .run(context -> assertThat(context).hasSingleBean(FanoutCache.class).hasBean("own"));
  }

  /** Spring Boot's own condition would take it for false, and the application have no cache. */
  @Test
  void aMisspeltSwitchEndsTheStart() {
    application
        .withPropertyValues("manx.cache.enabled=maybe")
        .run(
            context ->
                assertThat(analyses(context.getStartupFailure()))
                    .first(as(STRING))
                    .startsWith("properties manx.cache: enabled = 'maybe' is invalid; allowed:")
                    .endsWith("true, false"));
    application
        .withPropertyValues("manx.cache.enabled=off")
        .run(context -> assertThat(context).doesNotHaveBean(FanoutCache.class));
    application
        .withPropertyValues("manx.cache.enabled=on")
        .run(context -> assertThat(context).hasSingleBean(FanoutCache.class));
    withEnvironment(Map.of("MANX_CACHE_ENABLED", "false"))
        .run(context -> assertThat(context).doesNotHaveBean(FanoutCache.class));
  }

  @Test
  void metersAreBoundToTheRegistry() {
    application
        .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
        .withUserConfiguration(Registry.class, Songs.class)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.get("manx.cache.requests").functionCounter().count()).isZero();
              assertThat(registry.get("manx.cache.backend.hits").tag("backend", "songs").meters())
                  .hasSize(1);
              assertThat(registry.find("manx.cache.request.time").timer()).isNull();
            });
    application
        .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
        .withUserConfiguration(Registry.class, Songs.class)
        .withPropertyValues("manx.cache.histograms=true")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.get("manx.cache.request.time").timer().count()).isZero();
            });
  }

  /** As the guide shows it. */
  @Configuration(proxyBeanMethods = false)
  static class TwoCaches {
    @Bean
    FanoutCache pages() {
      return FanoutCache.builder().capacity(8 << 20).drivenByHost().open();
    }

    @Bean
    FanoutCache feeds() {
      return FanoutCache.builder().capacity(16 << 20).drivenByHost().open();
    }

    @Bean
    FanoutCacheMetrics pagesMetrics(@Qualifier("pages") FanoutCache cache) {
      return new FanoutCacheMetrics(cache, Tags.of("cache", "pages"));
    }

    @Bean
    FanoutCacheMetrics feedsMetrics(@Qualifier("feeds") FanoutCache cache) {
      return new FanoutCacheMetrics(cache, Tags.of("cache", "feeds"));
    }
  }

  /** As the guide warns: meters of one cache only, although the other is the primary one. */
  @Configuration(proxyBeanMethods = false)
  static class MetersOfOne {
    @Bean
    @Primary
    FanoutCache pages() {
      return FanoutCache.builder().capacity(8 << 20).drivenByHost().open();
    }

    @Bean
    FanoutCache feeds() {
      return FanoutCache.builder().capacity(16 << 20).drivenByHost().open();
    }

    @Bean
    FanoutCacheMetrics feedsMetrics(@Qualifier("feeds") FanoutCache cache) {
      return new FanoutCacheMetrics(cache, Tags.of("cache", "feeds"));
    }
  }

  @Test
  void metersOfOneCacheReplaceThoseOfThePrimaryOneAndTheLogSaysSo() {
    ApplicationContextRunner metered =
        application.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class));
    ApplicationContextRunner ofOne =
        metered.withUserConfiguration(Registry.class, MetersOfOne.class);
    ofOne.run(
        context ->
            assertThat(context.getBean(MeterRegistry.class).get("manx.cache.capacity").gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.getId().getTag("cache")).isEqualTo("feeds")));
    assertThat(logged(ofOne)).contains("2 caches (FanoutCache), but meters").contains("of 1:");
    for (Class<?> complete : List.of(TwoCaches.class, Songs.class)) {
      assertThat(logged(metered.withUserConfiguration(Registry.class, complete)))
          .doesNotContain("but meters");
    }
  }

  /** The usual declaration of meters: Spring does not know that they are those of a cache. */
  @Configuration(proxyBeanMethods = false)
  static class OwnBinder {
    @Bean
    MeterBinder meters(FanoutCache cache) {
      return new FanoutCacheMetrics(cache, Tags.of("cache", "main"));
    }
  }

  @Test
  void metersOfTheCacheDeclaredAsBinderReplaceTheAutomaticOnes() {
    ApplicationContextRunner metered =
        application
            .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
            .withUserConfiguration(Registry.class, OwnBinder.class, Songs.class);
    metered.run(
        context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          assertThat(registry.get("manx.cache.capacity").gauges())
              .singleElement()
              .satisfies(gauge -> assertThat(gauge.getId().getTag("cache")).isEqualTo("main"));
          assertThat(registry.get("manx.cache.backend.hits").meters()).hasSize(1);
        });
    assertThat(logged(metered))
        .contains("replace the automatic meters")
        .doesNotContain("but meters");
  }

  /** What an application's start writes to the log, which is the standard error here. */
  private static String logged(ApplicationContextRunner application) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      application.run(context -> assertThat(context).hasNotFailed());
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }

  @Test
  void twoCachesHaveTheMetersThatTheApplicationDefines() {
    application
        .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
        .withUserConfiguration(Registry.class, TwoCaches.class)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              for (String cache : List.of("pages", "feeds")) {
                assertThat(registry.get("manx.cache.capacity").tag("cache", cache).gauge().value())
                    .isEqualTo(cache.equals("pages") ? 8 << 20 : 16 << 20);
              }
              assertThat(registry.get("manx.cache.invalidations.connected").gauges()).hasSize(2);
            });
  }

  @Test
  void aWrongValueOfTheMetersNamesKeyValueAndWhatIsAllowed() {
    ApplicationContextRunner metered =
        application
            .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
            .withUserConfiguration(Registry.class);
    metered
        .withPropertyValues("manx.cache.histograms=maybe")
        .run(
            context ->
                assertThat(analyses(context.getStartupFailure()))
                    .first(as(STRING))
                    .startsWith("properties manx.cache: histograms = 'maybe' is invalid; allowed:")
                    .endsWith("true, false"));
    metered
        .withPropertyValues("manx.cache.histograms=on")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theEndpointTellsSharesWhenItIsExposed() {
    ApplicationContextRunner actuator =
        application
            .withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class))
            .withUserConfiguration(Songs.class);
    actuator
        .withPropertyValues(
            "management.endpoints.web.exposure.include=manxcache", "manx.cache.capacity=8MiB")
        .run(
            context -> {
              ManxCacheEndpoint.State state = context.getBean(ManxCacheEndpoint.class).state();
              assertThat(state.capacityBytes()).isEqualTo(8 << 20);
              assertThat(state.backends().get("songs").allocatedBytes()).isEqualTo(8 << 20);
              assertThat(state.invalidations()).isEqualTo(InvalidationStats.NONE);
              assertThat(state.shared()).isNull();
            });
    actuator
        .withPropertyValues(
            "management.endpoints.web.exposure.include=manxcache",
            "manx.cache.capacity=8MiB",
            "manx.cache.policy.policy=cache.shared")
        .run(
            context -> {
              rejectARequest(context.getBean(FanoutCache.class));
              ManxCacheEndpoint.State state = context.getBean(ManxCacheEndpoint.class).state();
              assertThat(state.shared().allocatedBytes()).isEqualTo(8 << 20);
              assertThat(state.requests()).isEqualTo(1);
              assertThat(state.rejected()).isEqualTo(1);
            });
    actuator.run(context -> assertThat(context).doesNotHaveBean(ManxCacheEndpoint.class));
  }

  private static void rejectARequest(FanoutCache cache) {
    Backend<Integer, String> full =
        cache.add(
            BackendSpec.of(
                    "full",
                    Sizers.of(Sizers::number, Sizers::text),
                    (List<Integer> keys) -> new CompletableFuture<Map<Integer, String>>())
                .with(BackendSettings.DEFAULTS.withMaxPending(1)));
    CompletableFuture<String> pending = cache.request().queryOne(full, 1);
    try (FanoutRequest request = cache.request()) {
      assertThat(request.queryOne(full, 2)).isCompletedExceptionally();
    }
    assertThat(pending).isNotDone();
  }

  /** A binder that the application would create later, or never. */
  @Configuration(proxyBeanMethods = false)
  static class BrokenBinder {
    @Bean
    MeterBinder broken() {
      throw new IllegalStateException("created at the start");
    }
  }

  /** As with spring.main.lazy-initialization, which is a setting of SpringApplication. */
  @Test
  void theStartCreatesNoLazyBeans() {
    ApplicationContextRunner lazy =
        application
            .withInitializer(
                context ->
                    context.addBeanFactoryPostProcessor(
                        new LazyInitializationBeanFactoryPostProcessor()))
            .withUserConfiguration(BrokenBinder.class);
    lazy.run(
        context -> {
          assertThat(context).hasNotFailed();
          assertThat(context.getBeanFactory().containsSingleton("manxCache")).isFalse();
        });
    ApplicationContextRunner two = lazy.withUserConfiguration(TwoCaches.class);
    two.run(context -> assertThat(context.getBeanFactory().containsSingleton("pages")).isFalse());
    assertThat(logged(two)).as("they may have meters").doesNotContain("but meters");
  }

  @Test
  void worksWithoutMicrometerAndActuator() {
    application
        .withClassLoader(
            new FilteredClassLoader("io.micrometer", "org.springframework.boot.actuate"))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(FanoutCache.class)
                    .doesNotHaveBean("manxCacheMetrics"));
  }
}
