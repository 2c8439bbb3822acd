/*
 * Judged defects (documents/judged.h) as drafts for the project's tracker, one a cause, in the
 * project's form for errors of documents or of code: share/documents/forms.json, "D1" and "D3", or
 * "fields" for both. A person reads and files them; nothing is sent.
 *
 *     struct strbuf text = {0};
 *     size_t n;
 *     if (!document_drafts(STR("torch"), STR("torch.Tensor.col_indices"), arena, &text, &n, e)) ...
 */
#ifndef DOCUMENTS_DRAFT_H
#define DOCUMENTS_DRAFT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* Appends the drafts of an API, or of all when it is empty; *n counts them. ERR_DATA: a table of
 * share/documents is wrong. */
bool document_drafts(struct str framework, struct str api, struct arena *a, struct strbuf *out,
                     size_t *n, struct err *e);

#endif
