/* Writing ignore comments: what --add-ignore and the editor's "ignore on this line" do. */
#ifndef LINT_IGNORE_H
#define LINT_IGNORE_H

#include "lint/finding.h"

/* The text with "# assay: ignore[CODES]" at the end of each finding's last line; codes are added to
 * a comment of ours that is there. How many findings. */
uint64_t ignore_add_comments(const struct file_report *r, struct str text, struct arena *a,
                             struct str *out);

/* The edit for one finding: replaces [*start, *end) of the line by the text. Offsets in the line.
 */
struct str ignore_edit(struct str line, struct str code, struct arena *a, size_t *start,
                       size_t *end);

#endif
