/* Finds the range that a graph input needs from the operators that consume it. */
#ifndef CASE_INPUT_RANGE_P_H
#define CASE_INPUT_RANGE_P_H

#include "onnx/model.h"

enum input_range {
    INPUT_RANGE_ANY,
    INPUT_RANGE_FULL,         /* integers over their whole dtype */
    INPUT_RANGE_POSITIVE,     /* 0.25 and above */
    INPUT_RANGE_NONZERO,      /* at least 0.25 away from 0 */
    INPUT_RANGE_UNIT,         /* inside (-1, 1) */
    INPUT_RANGE_ABOVE_ONE,    /* 1.25 and above */
    INPUT_RANGE_LOW,          /* below 0: lower bounds */
    INPUT_RANGE_HIGH,         /* above 0: upper bounds */
    INPUT_RANGE_SHIFT,        /* 0 .. 7 */
    INPUT_RANGE_LABEL,        /* 0 .. size of axis 1 of the consumer's input 0 */
    INPUT_RANGE_LENGTH,       /* 1 .. size of the consumer's time axis */
    INPUT_RANGE_INDEX,        /* -size .. size - 1 of the consumer's axis */
    INPUT_RANGE_INDEX_UNIQUE, /* like INDEX, with no index twice along the axis */
    INPUT_RANGE_INDEX_TUPLE,  /* for GatherND and ScatterND: tuples, none twice if there are enough
                               */
    INPUT_RANGE_SHAPE,        /* the shape of the consumer's output where it is known, else ones */
    INPUT_RANGE_SPLIT,        /* sizes of the consumer's outputs */
    INPUT_RANGE_ZERO,
    INPUT_RANGE_HALF,
    INPUT_RANGE_ONE,
    INPUT_RANGE_TWO,
    INPUT_RANGE_FOUR,
    INPUT_RANGE_LARGE, /* beyond every dim */
    INPUT_RANGE_IOTA   /* 0, 1, 2, ... */
};

/* A range, and the consumer that needs it (NULL for ANY). */
struct input_need {
    enum input_range range;
    const struct node *consumer;
};

/* The range that the consumers of value v need, also those after operators that only move data.
 * uses is graph_uses(g). */
struct input_need input__need(const struct graph *g, const struct graph_uses *uses, uint32_t v,
                              struct arena *a);

#endif
