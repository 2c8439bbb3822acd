/* `assay corpus screen` and `translate`: issues as programs of another framework. */
#ifndef CLI_CORPUS_PROGRAMS_H
#define CLI_CORPUS_PROGRAMS_H

#include "cli/settings.h"
#include "generate/corpus/record.h"

bool corpus_load(const struct settings *s, struct issue_corpus *out, struct err *e);
/* Finds the record whose id follows the verb. It is part of the corpus, which lives in the arena.
 */
bool corpus_find(const struct settings *s, const struct issue_record **out, struct err *e);

bool corpus_screen(const struct settings *s, struct err *e);
bool corpus_translate(const struct settings *s, struct err *e);

#endif
