/* SPDX-License-Identifier: Apache-2.0 */
/* Confines the sessions, raises and restores their priorities, and measures their CPU time. */
#ifndef MANX_CONTROLLER_H
#define MANX_CONTROLLER_H

#include "outcome.h"

/* Runs sessions whose threads wait at the first barrier, to the last barrier. Whatever happens, the
 * sessions have their own priorities and CPUs again when it returns, and are released. Returns 0,
 * or -1 after a line on standard error. */
int control(struct run *run, struct session *sessions, struct outcome *outcome);

#endif
