/*
 * Comparison of what an example prints with what its document says that it prints, within the
 * printed digits.
 *
 *     enum agreement how = printed_compare(documented, printed, 1, arena, &text);
 *
 * Both texts are read as a row of items: arrays ("tensor(...)", "array(...)", "Array(...)") with
 * shape, dtype and elements; numbers; words; strings; marks. Two numbers agree when they differ by
 * at most half a unit of the coarser one's last digit, a whole unit from the third decimal on, or
 * when both are noise (below 5e-5). What only
 * says how a value came to be (grad_fn, requires_grad, the CPU as device) counts as representation.
 */
#ifndef DOCUMENTS_PRINTED_H
#define DOCUMENTS_PRINTED_H

#include "base/str.h"

/* In order of weight: where several parts disagree, the heaviest counts. */
enum agreement {
#define AGREEMENT(id, name, class, help) AGREEMENT_##id,
#include "documents/agreement.def"
#undef AGREEMENT
    AGREEMENT_COUNT
};

/* slack: by how much the tolerance of a number is multiplied, 1: as above.
 * detail: what differs, in words, in the arena: "shape (2, 3) is documented, (3, 2) is printed". */
enum agreement printed_compare(struct str documented, struct str printed, double slack,
                               struct arena *a, struct str *detail);

const char *agreement_name(enum agreement how);

/* The elements of the n arrays that a text shows, as a Python list of them, moved by so many units
 * of their last digit, up and down in turn; false: it does not show so many, or not all of one. */
bool printed_arrays(struct str text, size_t n, double shift, struct arena *a, struct str *literal);

#endif
