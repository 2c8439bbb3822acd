/* Writing ignore comments: what --add-ignore and the editor's "ignore on this line" do. */
#ifndef LINT_IGNORE_H
#define LINT_IGNORE_H

#include "lint/finding.h"

/* The text with "# assay: ignore[CODES]" at the end of each finding's last line; where assay's
 * comment is there already, it gets the codes. Returns how many findings were treated. */
uint64_t ignore_add_comments(const struct file_report *r, struct str text, struct arena *a,
                             struct str *out);

/* The edit for one finding: *start and *end are offsets in the line; the returned text replaces
 * what lies between them.
 */
struct str ignore_edit(struct str line, struct str code, struct arena *a, size_t *start,
                       size_t *end);

#endif
