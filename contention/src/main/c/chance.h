/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded randomness of one thread, and its distributions. */
#ifndef MANX_CHANCE_H
#define MANX_CHANCE_H

#include <stdint.h>

/* State of a generator: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014), which works with any seed. */
struct chance {
  uint64_t state;
};

/* The generator of one stream of a seed; streams of one seed are independent. */
struct chance chance_of(uint64_t seed, uint64_t stream);

/* 64 random bits. */
uint64_t chance_bits(struct chance *chance);

/* Uniform in [0, 1). */
double chance_unit(struct chance *chance);

/* Exponential with a mean: the gaps of a Poisson process. */
double chance_exponential(struct chance *chance, double mean);

/* Zipf over 0..n-1, 0 the most popular, as in YCSB (Gray et al., "Quickly generating
 * billion-record synthetic databases", SIGMOD 1994, figure 5). */
struct zipf {
  uint64_t n;
  double theta, alpha, eta, zeta, second;
};

/* theta in (0, 1). */
struct zipf zipf_of(uint64_t n, double theta);

/* The next rank. */
uint64_t zipf_next(const struct zipf *zipf, struct chance *chance);

#endif
