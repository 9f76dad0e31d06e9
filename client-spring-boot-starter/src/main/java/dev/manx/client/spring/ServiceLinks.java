/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Ignores the variables that Kubernetes sets for each Service of a namespace ({@code
 * enableServiceLinks}). Those of a Service whose name begins with {@code manx-cache} look like
 * properties of the cache, for example {@code MANX_CACHE_SERVICE_HOST}.
 */
final class ServiceLinks {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceLinks.class);

  private static final Pattern ADDRESS =
      Pattern.compile(
          "MANX_CACHE_(.+_)?"
              + "(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  private static final Pattern PORT = Pattern.compile("MANX_CACHE_(.+_)?PORT");

  private static final Pattern URL = Pattern.compile("(tcp|udp|sctp)://.*");

  /** Logged before, in this process. */
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private ServiceLinks() {}

  /** A binder of the environment without these variables. */
  static Binder binder(Environment environment) {
    if (!(environment instanceof ConfigurableEnvironment configurable)) {
      return Binder.get(environment);
    }
    List<PropertySource<?>> sources = new ArrayList<>();
    for (PropertySource<?> source : configurable.getPropertySources()) {
      sources.add(source instanceof SystemEnvironmentPropertySource own ? without(own) : source);
    }
    return new Binder(
        ConfigurationPropertySources.from(sources),
        new PropertySourcesPlaceholdersResolver(environment));
  }

  private static PropertySource<?> without(SystemEnvironmentPropertySource source) {
    Map<String, Object> others = new LinkedHashMap<>(source.getSource());
    others.entrySet().removeIf(variable -> is(variable.getKey(), variable.getValue()));
    if (others.size() == source.getSource().size()) {
      return source;
    }
    Set<String> ignored = new TreeSet<>(source.getSource().keySet());
    ignored.removeAll(others.keySet());
    if (LOGGED.addAll(ignored)) {
      LOG.info("ignored, since they are variables of a Kubernetes Service: {}", ignored);
    }
    return new SystemEnvironmentPropertySource(source.getName(), others);
  }

  private static boolean is(String name, Object value) {
    return ADDRESS.matcher(name).matches()
        || PORT.matcher(name).matches() && URL.matcher(String.valueOf(value)).matches();
  }
}
