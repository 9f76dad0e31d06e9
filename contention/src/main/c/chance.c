/* SPDX-License-Identifier: Apache-2.0 */
#include "chance.h"

#include <math.h>

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

struct chance chance_of(uint64_t seed, uint64_t stream) {
  struct chance chance = {mixed(mixed(seed + GOLDEN) + (stream + 1) * GOLDEN)};
  return chance;
}

uint64_t chance_bits(struct chance *chance) {
  chance->state += GOLDEN;
  return mixed(chance->state);
}

double chance_unit(struct chance *chance) { return (double)(chance_bits(chance) >> 11) * 0x1p-53; }

double chance_exponential(struct chance *chance, double mean) {
  return -mean * log1p(-chance_unit(chance));
}

struct zipf zipf_of(uint64_t n, double theta) {
  struct zipf zipf = {.n = n, .theta = theta, .alpha = 1 / (1 - theta), .zeta = 0};
  for (uint64_t rank = 1; rank <= n; rank++) {
    zipf.zeta += pow((double)rank, -theta);
  }
  zipf.second = 1 + pow(0.5, theta);
  zipf.eta = (1 - pow(2.0 / (double)n, 1 - theta)) / (1 - zipf.second / zipf.zeta);
  return zipf;
}

uint64_t zipf_next(const struct zipf *zipf, struct chance *chance) {
  double u = chance_unit(chance);
  if (u * zipf->zeta < 1 || zipf->n == 1) {
    return 0;
  }
  if (u * zipf->zeta < zipf->second || zipf->n == 2) {
    return 1;
  }
  uint64_t rank = (uint64_t)((double)zipf->n * pow(zipf->eta * u - zipf->eta + 1, zipf->alpha));
  return rank < zipf->n ? rank : zipf->n - 1;
}
