/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latencies in the buckets of HdrHistogram (Gil Tene; the layout of its Java class Histogram), so
 * that a dump of the counts becomes the same histogram there. One thread records; others read after
 * it has ended.
 */
#ifndef MANX_HISTOGRAM_H
#define MANX_HISTOGRAM_H

#include <stdint.h>
#include <stdio.h>

/* Values below count as this; the same limits as Manx's Java histograms. */
#define HISTOGRAM_LOWEST_NANOS INT64_C(1000)
/* Values above count as this: ten minutes. */
#define HISTOGRAM_HIGHEST_NANOS INT64_C(600000000000)

struct histogram {
  int sub_bucket_bits; /* 11 for three significant digits, 8 for two */
  int32_t length;      /* of counts */
  uint64_t total;
  uint32_t *counts;
};

/* Three significant digits. Returns 0, or -1 without memory. */
int histogram_fine(struct histogram *histogram);

/* Two significant digits: for one second of a timeline. Returns 0, or -1 without memory. */
int histogram_coarse(struct histogram *histogram);

/* Frees the memory. */
void histogram_free(struct histogram *histogram);

/* Counts one value, clamped to the limits. */
void histogram_record(struct histogram *histogram, int64_t nanos);

/* Adds all counts of another histogram of the same precision. */
void histogram_add(struct histogram *to, const struct histogram *from);

/* The highest value of the bucket that holds a percentile in (0, 100]; 0 if there is no value. */
int64_t histogram_percentile(const struct histogram *histogram, double percentile);

/* The mean of the middles of the buckets; 0 if there is no value. */
double histogram_mean(const struct histogram *histogram);

/* Writes a line "lowest-value-of-the-bucket count" for each bucket that is not empty. */
void histogram_dump(const struct histogram *histogram, FILE *out);

#endif
