/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares what a {@code manx.yaml} needs of its node, as the plugin's jar prints it, with the
 * node's heap and read time-out. A node rejects a file that needs more. The heap that it needs
 * grows with the number of the node's request threads.
 */
final class NodeNeeds {
  private static final Pattern HEAP = Pattern.compile("least heap of a node: (\\S+)");
  private static final Pattern TIMEOUT =
      Pattern.compile("max-wait: ([^\\s;]+); least read_request_timeout of a node: (\\S+)");
  private static final Pattern PERSISTED =
      Pattern.compile(
          "(?m)^persisted needs: heap ([^\\s,]+)"
              + "(?:, read_request_timeout (\\S+) for max-wait (\\S+))?");
  private static final Pattern SET =
      Pattern.compile(
          "(?m)^read_request_timeout(?:_in_ms)?:[ \\t]*[\"']?(\\d{1,12})[ \\t]*([a-z]*)");
  // With Cassandra's defaults.
  private static final Map<String, Integer> THREADS =
      Map.of("native_transport_max_threads", 128, "concurrent_reads", 32, "concurrent_writes", 32);
  private static final long STANDARD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final CassandraHome home;
  private final JvmOptions options;
  private final String said;

  /**
   * @param said the output of the plugin's jar; one of an earlier version says less
   */
  NodeNeeds(CassandraHome home, JvmOptions options, String said) {
    this.home = home;
    this.options = options;
    this.said = said;
  }

  /** Reports what is missing; returns whether nothing is. */
  boolean met(String file, Findings found) {
    Optional<String> heap = heap();
    Optional<String> timeout = timeout();
    heap.ifPresent(
        why ->
            found.error(
                file,
                "the node would reject it: " + why,
                "Manx would be off: raise -Xmx, or lower the"
                    + " settings of memory in the file."));
    timeout.ifPresent(
        why ->
            found.error(
                file,
                "the node would reject it: " + why,
                "Manx would be off: set a shorter max-wait (docs/operate/policy-settings.md), or raise the"
                    + " time-out."));
    return heap.isEmpty() && timeout.isEmpty();
  }

  /** Reports what persisted settings lack; returns whether they lack nothing. */
  boolean persistedMet(String file, Findings found) {
    Matcher need = PERSISTED.matcher(said);
    if (!need.find()) {
      return true;
    }
    List<String> lacks = new ArrayList<>();
    heap(need.group(1)).ifPresent(lacks::add);
    if (need.group(2) != null) {
      timeout(need.group(3), need.group(2)).ifPresent(lacks::add);
    }
    if (!lacks.isEmpty()) {
      found.warning(
          file,
          "the node would ignore the persisted settings: " + String.join("; ", lacks),
          "The node would use only the file. Persist another strategy, or delete the persisted"
              + " settings: ./manx ctl reset-persisted");
    }
    return lacks.isEmpty();
  }

  /** The least heap in words; empty if unknown. */
  String words() {
    Matcher need = HEAP.matcher(said);
    return need.find() ? "; least heap " + need.group(1) : "";
  }

  private Optional<String> heap() {
    Matcher need = HEAP.matcher(said);
    return need.find() ? heap(need.group(1)) : Optional.empty();
  }

  private Optional<String> heap(String need) {
    Optional<JvmOptions.Heap> heap = options.heap();
    return heap.isEmpty() || heap.get().bytes() >= Units.bytes(need).orElse(0)
        ? Optional.empty()
        : Optional.of(
            "it needs a heap of "
                + need
                + ", and "
                + heap.get().file()
                + " sets "
                + Units.bytes(heap.get().bytes()));
  }

  private Optional<String> timeout() {
    Matcher need = TIMEOUT.matcher(said);
    return need.find() ? timeout(need.group(1), need.group(2)) : Optional.empty();
  }

  private Optional<String> timeout(String wait, String least) {
    long set = timeoutNanos(home.yaml()).orElse(STANDARD_NANOS);
    return set >= Units.durationNanos(least).orElse(0)
        ? Optional.empty()
        : Optional.of(
            "strategy.order.max-wait is "
                + wait
                + ", and may be up to "
                + Units.duration(set / 2)
                + ", half of read_request_timeout in "
                + home.conf().resolve("cassandra.yaml"));
  }

  /** The most request threads with the settings of a {@code cassandra.yaml}. */
  static int requestThreads(String yaml) {
    return THREADS.entrySet().stream()
        .mapToInt(one -> threads(yaml, one.getKey(), one.getValue()))
        .sum();
  }

  private static int threads(String yaml, String setting, int standard) {
    return Pattern.compile("(?m)^" + setting + ":[ \\t]*[\"']?(\\d{1,7})")
        .matcher(yaml)
        .results()
        .map(set -> Integer.parseInt(set.group(1)))
        .reduce(standard, (first, last) -> last);
  }

  /** The read time-out that a {@code cassandra.yaml} sets; empty if it sets none. */
  static OptionalLong timeoutNanos(String yaml) {
    Matcher set = SET.matcher(yaml);
    OptionalLong nanos = OptionalLong.empty();
    while (set.find()) {
      // Cassandra's units, which are not those of Manx.
      TimeUnit unit =
          switch (set.group(2)) {
            case "d" -> TimeUnit.DAYS;
            case "h" -> TimeUnit.HOURS;
            case "m" -> TimeUnit.MINUTES;
            case "s" -> TimeUnit.SECONDS;
            default -> TimeUnit.MILLISECONDS;
          };
      nanos = OptionalLong.of(unit.toNanos(Long.parseLong(set.group(1))));
    }
    return nanos;
  }
}
