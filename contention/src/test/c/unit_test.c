/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms, draws, options and /proc/stat of the driver. */
#include "chance.h"
#include "check.h"
#include "histogram.h"
#include "machine.h"
#include "options.h"
#include "priority.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void percentiles_are_within_a_thousandth(void) {
  struct histogram histogram;
  CHECK(histogram_fine(&histogram) == 0, "memory");
  for (int64_t micros = 1; micros <= 1000000; micros++) {
    histogram_record(&histogram, micros * 1000);
  }
  static const double percentiles[] = {1, 50, 90, 99, 99.9, 100};
  for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++) {
    double exact = percentiles[i] * 1e7;
    double found = (double)histogram_percentile(&histogram, percentiles[i]);
    CHECK(fabs(found - exact) <= exact * 1e-3 + 512, "P%g is %g and not %g", percentiles[i], found,
          exact);
  }
  CHECK(fabs(histogram_mean(&histogram) - 500000.5e3) < 1e6, "mean %g", histogram_mean(&histogram));
  histogram_free(&histogram);
}

static void values_are_brought_into_the_limits(void) {
  struct histogram histogram;
  CHECK(histogram_coarse(&histogram) == 0, "memory");
  CHECK(histogram_percentile(&histogram, 99) == 0, "an empty one has no percentile");
  histogram_record(&histogram, -5);
  histogram_record(&histogram, INT64_MAX);
  CHECK(histogram.total == 2, "total %" PRIu64, histogram.total);
  int64_t low = histogram_percentile(&histogram, 50);
  CHECK(low >= HISTOGRAM_LOWEST_NANOS && low < 2048, "lowest %" PRId64, low);
  CHECK(histogram_percentile(&histogram, 100) >= HISTOGRAM_HIGHEST_NANOS, "highest");
  histogram_free(&histogram);
}

static void a_sum_holds_all(void) {
  struct histogram one, two;
  CHECK(histogram_fine(&one) == 0 && histogram_fine(&two) == 0, "memory");
  histogram_record(&one, 5000);
  histogram_record(&two, 9000000);
  histogram_add(&one, &two);
  CHECK(one.total == 2, "total %" PRIu64, one.total);
  CHECK(histogram_percentile(&one, 100) >= 9000000, "the larger one");
  histogram_free(&one);
  histogram_free(&two);
}

static void draws_are_those_of_the_seed_and_of_the_law(void) {
  struct chance a = chance_of(7, 1), b = chance_of(7, 1), c = chance_of(7, 2);
  CHECK(chance_bits(&a) == chance_bits(&b), "the same stream twice");
  CHECK(chance_bits(&a) != chance_bits(&c), "two streams");
  int n = 200000;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double gap = chance_exponential(&a, 50);
    CHECK(gap >= 0 && isfinite(gap), "gap %g", gap);
    sum += gap;
  }
  /* The mean of n has a standard deviation of 50 / sqrt(n): five of them. */
  CHECK(fabs(sum / n - 50) < 5 * 50 / sqrt(n), "mean gap %g, seed 7", sum / n);
}

static void zipf_has_its_frequencies(void) {
  struct chance chance = chance_of(11, 0);
  struct zipf zipf = zipf_of(1000, 0.99);
  int n = 200000, first = 0, second = 0;
  for (int i = 0; i < n; i++) {
    uint64_t rank = zipf_next(&zipf, &chance);
    CHECK(rank < 1000, "rank %" PRIu64, rank);
    first += rank == 0;
    second += rank == 1;
  }
  double p = 1 / zipf.zeta;
  CHECK(fabs(first - n * p) < 5 * sqrt(n * p), "first rank %d, expected %g, seed 11", first, n * p);
  double q = p * pow(0.5, 0.99);
  CHECK(fabs(second - n * q) < 5 * sqrt(n * q), "second %d, expected %g, seed 11", second, n * q);
  for (uint64_t small = 1; small <= 3; small++) {
    struct zipf few = zipf_of(small, 0.5);
    for (int i = 0; i < 1000; i++) {
      CHECK(zipf_next(&few, &chance) < small, "ranks of %" PRIu64, small);
    }
  }
}

/* Parses space-separated arguments. */
static int parse(const char *text, struct options *options) {
  static char copy[512];
  char *arguments[32];
  int count = 0;
  (void)snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
    arguments[count++] = word;
  }
  return options_parse(count, arguments, options);
}

static void options_are_read_and_bad_ones_refused(void) {
  struct options options;
  CHECK(parse("home=a out=b threads=16 rate=20000.5 cores=1 boost=8 nice=-20 from-ms=3000 "
              "to-ms=6000 limit=1 shared-keys=1 zipf=0.99 reads=0.95 seed=9",
              &options) == 0,
        "all fine");
  CHECK(options.threads == 16 && options.rate == 20000.5 && options.boost == 8, "values");
  CHECK(options.shared_keys && options.from_ms == 3000 && options.seed == 9, "values");
  CHECK(parse("home=a out=b cpu-stat=inner cpu-stat=outer seed=9007199254740991 cache-mb=1024",
              &options) == 0,
        "two groups and the largest seed");
  CHECK(options.groups == 2 && strcmp(options.cpu_stats[1], "outer") == 0, "groups");
  CHECK(options.seed == UINT64_C(9007199254740991) && options.cache_mb == 1024, "values");
  static const char *const bad[] = {
      "",
      "home=a",
      "home= out=b",
      "home=a out=b threads=0",
      "home=a out=b threads=513",
      "home=a out=b cpu-stat=",
      "home=a out=b cache-mb=0",
      "home=a out=b seed=9007199254740994",
      "home=a out=b threads=1.5",
      "home=a out=b threads=",
      "home=a out=b threads=8x",
      "home=a out=b threads",
      "home=a out=b rate=nan",
      "home=a out=b rate=-1",
      "home=a out=b rate=1e99",
      "home=a out=b nice=-21",
      "home=a out=b zipf=1",
      "home=a out=b colour=1",
      "home=a out=b threads=2 boost=3",
      "home=a out=b threads=8 records=4",
      "home=a out=b from-ms=5 to-ms=4",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK(parse(bad[i], &options) == -1, "'%s' was taken", bad[i]);
  }
}

static cpu_set_t cores_of(size_t first, size_t last) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (size_t core = first; core <= last; core++) {
    CPU_SET(core, &cores);
  }
  return cores;
}

/* Some containers have a /proc/stat of their own, which counts its cores from 0. */
static bool are_listed(const cpu_set_t *cores) {
  FILE *stat = fopen("/proc/stat", "r");
  cpu_set_t listed;
  CPU_ZERO(&listed);
  char line[4096];
  size_t core;
  while (stat != NULL && fgets(line, sizeof line, stat) != NULL) {
    if (sscanf(line, "cpu%zu ", &core) == 1) {
      CPU_SET(core, &listed);
    }
  }
  if (stat != NULL) {
    fclose(stat);
  }
  CPU_AND(&listed, &listed, cores);
  return CPU_EQUAL(&listed, cores);
}

static void the_machine_is_understood(void) {
  struct machine machine;
  const char *text = "cpu  10 20 30 400 50 6 7 80 0 0\n"
                     "cpu0 5 10 15 200 25 3 3 40 0 0\n"
                     "cpu1 5 10 15 200 25 3 4 40 0 0\n"
                     "intr 1 2 3\n";
  cpu_set_t both = cores_of(0, 1), one = cores_of(0, 0), here;
  CHECK(machine_parse(text, &both, &machine) == 0, "a machine of two");
  CHECK(machine.cpus == 2, "%d cpus", machine.cpus);
  CHECK(fabs(machine.steal_s / machine.idle_s - 80.0 / 450) < 1e-9, "steal over idle");
  CHECK(machine_parse("cpu 1 2\ncpu0 1 2\n", &one, &machine) == -1, "too short");
  CHECK(machine_parse("", &one, &machine) == -1, "empty");
  CHECK(allowed_cpus(&here) == 0, "the cores of this process");
  if (are_listed(&here)) {
    CHECK(machine_now(&here, &machine) == 0, "this machine");
    CHECK(machine.cpus == CPU_COUNT(&here), "%d cpus here", machine.cpus);
  } else {
    CHECK(machine_now(&here, &machine) == -1, "/proc/stat numbers the cores otherwise");
  }
}

/* Sessions on core 1 are not disturbed on core 0. */
static void only_the_used_cores_are_understood(void) {
  const char *text = "cpu  10 20 30 700 90 6 7 100 0 0\n"
                     "cpu0 5 10 15 300 30 3 3 40 0 0\n"
                     "cpu1 5 10 15 400 60 3 4 60 0 0\n"
                     "cpu12 0 0 0 0 0 0 0 0 0 0\n"
                     "intr 1 2 3\n";
  struct machine machine;
  cpu_set_t used = cores_of(1, 1);
  CHECK(machine_parse(text, &used, &machine) == 0, "core 1");
  CHECK(machine.cpus == 1, "%d cpus", machine.cpus);
  CHECK(fabs(machine.steal_s / machine.idle_s - 60.0 / 460) < 1e-9, "of core 1");
  used = cores_of(5, 5);
  CHECK(machine_parse(text, &used, &machine) == -1, "core 5 is offline");
}

/* A container may number its cores anew: core 1 of this text may be another. */
static void a_part_of_the_cores_is_not_enough(void) {
  struct machine machine;
  cpu_set_t used = cores_of(1, 2);
  CHECK(machine_parse("cpu  9 9 9 9 9 9 9 9 0 0\n"
                      "cpu0 5 10 15 300 30 3 3 40 0 0\n"
                      "cpu1 5 10 15 400 60 3 4 60 0 0\n",
                      &used, &machine) == -1,
        "core 2 is not there");
}

/* Some 150 bytes for each core. */
static void a_large_machine_is_read_to_its_end(void) {
  FILE *file = fopen("stat", "w");
  CHECK(file != NULL, "a file");
  fprintf(file, "cpu  1 1 1 1 1 1 1 1 0 0\n");
  for (int core = 0; core < CPU_SETSIZE; core++) {
    fprintf(file, "cpu%d 5 10 15 200 25 3 3 %0120d 0 0\n", core, core == CPU_SETSIZE - 1);
  }
  CHECK(fclose(file) == 0, "written");
  struct machine machine;
  cpu_set_t last = cores_of(CPU_SETSIZE - 1, CPU_SETSIZE - 1);
  CHECK(machine_read("stat", &last, &machine) == 0, "its last core");
  CHECK(machine.steal_s > 0, "steal of the last core");
  CHECK(machine_read("none", &last, &machine) == -1, "no such file");
}

static void throttling_of_both_versions_is_understood(void) {
  double first = throttled_parse("nr_periods 9\nnr_throttled 4\nthrottled_time 2500000000\n");
  CHECK(fabs(first - 2.5) < 1e-9, "version 1: %g", first);
  double second = throttled_parse("usage_usec 7\nnr_throttled 4\nthrottled_usec 1250000\n");
  CHECK(fabs(second - 1.25) < 1e-9, "version 2: %g", second);
  CHECK(isnan(throttled_parse("usage_usec 7\n")), "a group without a quota");
}

static void write_text(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "%s", name);
}

/* The quota of the pod is used up by another container of it, though its own quota is smaller. */
static void throttling_by_any_of_nested_groups_counts(void) {
  const char *files[] = {"inner", "outer", "none"};
  double from[3], to[3];
  write_text("inner", "throttled_usec 7000000\n");
  write_text("outer", "throttled_usec 1000000\n");
  throttled_now(files, 3, from);
  write_text("outer", "throttled_usec 1250000\n");
  throttled_now(files, 3, to);
  CHECK(fabs(throttled_most(from, to, 3) - 0.25) < 1e-9, "%g", throttled_most(from, to, 3));
  CHECK(fabs(throttled_most(from, to, 1)) < 1e-9, "the inner one alone");
  CHECK(isnan(throttled_most(from + 2, to + 2, 1)), "no such file");
  CHECK(isnan(throttled_most(from, to, 0)), "no group");
}

static void the_last_cpus_are_taken(void) {
  cpu_set_t all, chosen;
  CPU_ZERO(&all);
  CPU_SET(0, &all);
  CPU_SET(2, &all);
  CPU_SET(5, &all);
  chosen = last_cpus(&all, 2);
  CHECK(CPU_COUNT(&chosen) == 2 && CPU_ISSET(2, &chosen) && CPU_ISSET(5, &chosen), "2 and 5");
  chosen = last_cpus(&all, 9);
  CHECK(CPU_EQUAL(&chosen, &all), "no more than there are");
}

static void lowering_the_own_priority_is_permitted(void) {
  int before, after;
  CHECK(get_nice(thread_id(), &before) == 0, "own level");
  CHECK(set_nice(thread_id(), 19) == 0, "to 19");
  CHECK(get_nice(thread_id(), &after) == 0 && after == 19, "it is %d", after);
  CHECK(set_nice(-1, 19) != 0, "no such thread");
}

/* Values that the Java side knows too; it compares the histograms. */
static void dump(void) {
  struct histogram histogram;
  CHECK(histogram_fine(&histogram) == 0, "memory");
  int64_t value = 1;
  for (int i = 0; i < 4000; i++) {
    histogram_record(&histogram, value);
    value = value * 1013 / 1000 + 7;
    value = value > INT64_C(700000000000) ? 1 : value;
  }
  histogram_dump(&histogram, stdout);
  histogram_free(&histogram);
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "dump") == 0) {
    dump();
    return 0;
  }
  percentiles_are_within_a_thousandth();
  values_are_brought_into_the_limits();
  a_sum_holds_all();
  draws_are_those_of_the_seed_and_of_the_law();
  zipf_has_its_frequencies();
  options_are_read_and_bad_ones_refused();
  the_machine_is_understood();
  only_the_used_cores_are_understood();
  a_part_of_the_cores_is_not_enough();
  a_large_machine_is_read_to_its_end();
  throttling_of_both_versions_is_understood();
  throttling_by_any_of_nested_groups_counts();
  the_last_cpus_are_taken();
  lowering_the_own_priority_is_permitted();
  puts("ok");
  return 0;
}
