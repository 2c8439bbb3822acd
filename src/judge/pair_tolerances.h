/*
 * Tolerances of the oracle pairs that the scripts of its bugs repeat, each in one place: rows of
 * pair_tolerances.def and this scale.
 */
#ifndef JUDGE_PAIR_TOLERANCES_H
#define JUDGE_PAIR_TOLERANCES_H

/* Of expected results that are all zero: a residue of rounding is no difference. */
#define PAIR_ZEROS_SCALE 1e-2

#endif
