/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* floor(log2(HISTOGRAM_LOWEST_NANOS)): values are resolved to 512 ns. */
#define UNIT_BITS 9

static int most_significant_bit(uint64_t value) { return 63 - __builtin_clzll(value); }

static int32_t index_of(const struct histogram *histogram, int64_t nanos) {
  int sub_bits = histogram->sub_bucket_bits;
  uint64_t mask = ((UINT64_C(1) << sub_bits) - 1) << UNIT_BITS;
  int bucket = most_significant_bit((uint64_t)nanos | mask) - (UNIT_BITS + sub_bits - 1);
  int64_t sub = nanos >> (bucket + UNIT_BITS);
  int32_t half = INT32_C(1) << (sub_bits - 1);
  return ((bucket + 1) << (sub_bits - 1)) + (int32_t)sub - half;
}

static int64_t lowest_of(const struct histogram *histogram, int32_t index, int64_t *width) {
  int half_bits = histogram->sub_bucket_bits - 1;
  int32_t half = INT32_C(1) << half_bits;
  int bucket = (index >> half_bits) - 1;
  int64_t sub = (index & (half - 1)) + half;
  if (bucket < 0) {
    sub -= half;
    bucket = 0;
  }
  *width = INT64_C(1) << (bucket + UNIT_BITS);
  return sub << (bucket + UNIT_BITS);
}

static int create(struct histogram *histogram, int sub_bucket_bits) {
  histogram->sub_bucket_bits = sub_bucket_bits;
  histogram->total = 0;
  histogram->length = index_of(histogram, HISTOGRAM_HIGHEST_NANOS) + 1;
  histogram->counts = calloc((size_t)histogram->length, sizeof *histogram->counts);
  return histogram->counts == NULL ? -1 : 0;
}

int histogram_fine(struct histogram *histogram) { return create(histogram, 11); }

int histogram_coarse(struct histogram *histogram) { return create(histogram, 8); }

void histogram_free(struct histogram *histogram) {
  free(histogram->counts);
  histogram->counts = NULL;
}

void histogram_record(struct histogram *histogram, int64_t nanos) {
  if (nanos < HISTOGRAM_LOWEST_NANOS) {
    nanos = HISTOGRAM_LOWEST_NANOS;
  } else if (nanos > HISTOGRAM_HIGHEST_NANOS) {
    nanos = HISTOGRAM_HIGHEST_NANOS;
  }
  histogram->counts[index_of(histogram, nanos)]++;
  histogram->total++;
}

void histogram_add(struct histogram *to, const struct histogram *from) {
  for (int32_t i = 0; i < from->length; i++) {
    to->counts[i] += from->counts[i];
  }
  to->total += from->total;
}

int64_t histogram_percentile(const struct histogram *histogram, double percentile) {
  uint64_t wanted = (uint64_t)ceil(percentile / 100 * (double)histogram->total);
  uint64_t seen = 0;
  for (int32_t i = 0; i < histogram->length; i++) {
    seen += histogram->counts[i];
    if (seen >= wanted && seen > 0) {
      int64_t width;
      int64_t lowest = lowest_of(histogram, i, &width);
      return lowest + width - 1;
    }
  }
  return 0;
}

double histogram_mean(const struct histogram *histogram) {
  double sum = 0;
  for (int32_t i = 0; i < histogram->length; i++) {
    if (histogram->counts[i] > 0) {
      int64_t width;
      int64_t lowest = lowest_of(histogram, i, &width);
      sum += histogram->counts[i] * ((double)lowest + (double)width / 2);
    }
  }
  return histogram->total == 0 ? 0 : sum / (double)histogram->total;
}

void histogram_dump(const struct histogram *histogram, FILE *out) {
  for (int32_t i = 0; i < histogram->length; i++) {
    if (histogram->counts[i] > 0) {
      int64_t width;
      int64_t lowest = lowest_of(histogram, i, &width);
      fprintf(out, "%" PRId64 " %" PRIu32 "\n", lowest, histogram->counts[i]);
    }
  }
}
