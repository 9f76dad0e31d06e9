/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The values of a mapping's keys, with every default filled in. A reader may add derived values.
 * Confined to one thread.
 */
public final class Part {
  private final Section section;
  private final ConfigNode node;
  private final Map<String, Object> values;
  private boolean tolerant;
  private boolean hasSweep;

  Part(Section section, ConfigNode node, Map<String, Object> values) {
    this.section = section;
    this.node = node;
    this.values = values;
  }

  /** The mapping in the file, which must exist. */
  public ConfigNode node() {
    if (node == null) {
      throw new IllegalStateException("not in the file");
    }
    return node;
  }

  /** The value in the file, which must exist. */
  public ConfigNode node(String name) {
    key(name);
    return node().at(name);
  }

  /** Whether the mapping's shape has such a key. */
  public boolean isKey(String name) {
    return section.key(name).isPresent();
  }

  /** Whether the key has a value, possibly a default. */
  public boolean has(String name) {
    return value(name) != null;
  }

  /** A duration in nanoseconds, a size in bytes or a whole number. */
  public long number(String name) {
    return (Long) need(name);
  }

  /** A whole number that fits an int. */
  public int whole(String name) {
    return Math.toIntExact(number(name));
  }

  /** A share, a number with a fraction, or a rate per second. */
  public double real(String name) {
    return (Double) need(name);
  }

  public boolean flag(String name) {
    return (Boolean) need(name);
  }

  /** A word or a text. */
  public String word(String name) {
    return (String) need(name);
  }

  public <E extends Enum<E>> E choice(String name, Class<E> choices) {
    return Enum.valueOf(choices, word(name).toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /**
   * A whole number with a narrower range, set by other settings.
   *
   * @throws dev.manx.policy.config.ConfigException if it is out of range
   */
  public int whole(String name, long min, long max) {
    return Math.toIntExact(within(name, min, max));
  }

  /** A duration or size with a narrower range. */
  public long within(String name, long min, long max) {
    long value = number(name);
    if (value < min || value > max) {
      Setting setting = setting(name).withRange(min, max);
      setting.read(node(name));
    }
    return value;
  }

  /**
   * Accepts values without effect in the mappings of swept keys, here and below: other points of
   * the sweep may give them an effect. With a sweep, values that follow from others are not
   * written.
   *
   * @param swept keys by dotted path
   */
  public void acceptWithoutEffect(Collection<String> swept) {
    hasSweep = !swept.isEmpty();
    tolerant = node != null && swept.stream().anyMatch(key -> key.startsWith(node.key() + "."));
    for (Object value : values.values()) {
      if (unwrapped(value) instanceof Part part) {
        part.acceptWithoutEffect(swept);
      }
    }
  }

  /**
   * Refuses a value other than the default where other settings leave it without effect.
   *
   * @param effective whether it has an effect
   * @param condition of the other settings, in words
   */
  public void only(String name, boolean effective, String condition) {
    if (!effective && !tolerant && !Objects.equals(value(name), key(name).standard())) {
      throw node(name).refuseBecause("it has no effect without " + condition);
    }
  }

  /** A mapping, which must have a value. */
  public Part part(String name) {
    return (Part) need(name);
  }

  /** A mapping, if it has a value. */
  public Optional<Part> find(String name) {
    return Optional.ofNullable((Part) value(name));
  }

  /** A list of single values. */
  public <T> List<T> items(String name, Class<T> type) {
    return ((List<?>) need(name)).stream().map(type::cast).toList();
  }

  public List<String> words(String name) {
    return items(name, String.class);
  }

  /** A list of mappings; empty without a value. */
  public List<Part> parts(String name) {
    return has(name)
        ? ((List<?>) need(name)).stream().map(Part::unwrapped).map(Part.class::cast).toList()
        : List.of();
  }

  /** A mapping by names chosen in the file; empty without a value. */
  public <T> Map<String, T> named(String name, Class<T> type) {
    Map<String, T> named = new LinkedHashMap<>();
    if (has(name)) {
      ((Map<?, ?>) need(name))
          .forEach((key, one) -> named.put(key.toString(), type.cast(unwrapped(one))));
    }
    return named;
  }

  /** The value as returned by the key's shape, or null. */
  public Object value(String name) {
    key(name);
    return unwrapped(values.get(name));
  }

  /**
   * Sets a derived value of the type returned by the key's shape, or a node of the file, which a
   * resolved file copies.
   */
  public void put(String name, Object value) {
    key(name);
    values.put(name, value);
  }

  /**
   * Sets a value that follows from others, for a resolved file; not if there is a sweep, because
   * other values may follow at its points.
   */
  public void putDerived(String name, Object value) {
    if (!hasSweep) {
      put(name, value);
    }
  }

  /** The value for a resolved file. */
  public Map<String, Object> written() {
    return section.written(this);
  }

  Map<String, Object> values() {
    return values;
  }

  private Object need(String name) {
    Object value = value(name);
    if (value == null) {
      throw new IllegalStateException(name + " has no value");
    }
    return value;
  }

  private static Object unwrapped(Object value) {
    return value instanceof Forms.Chosen chosen ? chosen.value() : value;
  }

  private Setting setting(String name) {
    return ((Scalar) key(name).shape()).setting();
  }

  private Key key(String name) {
    return section
        .key(name)
        .orElseThrow(() -> new IllegalArgumentException("there is no key " + name));
  }
}
