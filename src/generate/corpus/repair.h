/* Repair of programs that issues bring. */
#ifndef GENERATE_CORPUS_REPAIR_H
#define GENERATE_CORPUS_REPAIR_H

#include "python/reading.h"

/*
 * Repairs a program that lacks little to run on this machine and version: devices become the CPU,
 * calls that move to a device are removed, conventional imports are put in front. Returns the text
 * unchanged if there is nothing to repair.
 */
struct str program_repair(struct reader *r, struct str text, struct arena *a);

#endif
