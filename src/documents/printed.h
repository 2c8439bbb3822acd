/*
 * Compares the output of an example with the documented output, within the printed digits.
 *
 *     enum agreement how = printed_compare(documented, printed, 1, arena, &text);
 *
 * Both texts are read as a row of items: arrays ("tensor(...)", "array(...)", "Array(...)") with
 * shape, dtype and elements; numbers; words; strings; marks. Two numbers agree when they differ by
 * at most half a unit of the coarser one's last digit, a whole unit from the third decimal on, or
 * when both are noise (below 5e-5). Text that only says how a value was made (grad_fn,
 * requires_grad, the CPU as device) counts as representation.
 */
#ifndef DOCUMENTS_PRINTED_H
#define DOCUMENTS_PRINTED_H

#include "base/str.h"

/* In order of severity: where several parts disagree, the gravest counts. */
enum agreement {
#define AGREEMENT(id, name, class, help) AGREEMENT_##id,
#include "documents/agreement.def"
#undef AGREEMENT
    AGREEMENT_COUNT
};

/* slack: factor of the tolerance of numbers; 1: as above. detail: what differs, in the arena:
 * "shape (2, 3) is documented, (3, 2) is printed". */
enum agreement printed_compare(struct str documented, struct str printed, double slack,
                               struct arena *a, struct str *detail);

const char *agreement_name(enum agreement how);

/* The elements of the `n` arrays in a text, as a Python list, each moved by `shift` units of its
 * last digit, alternately up and down; false: the text shows fewer arrays or elides elements. */
bool printed_arrays(struct str text, size_t n, double shift, struct arena *a, struct str *literal);

#endif
