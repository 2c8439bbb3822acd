/*
 * Data in a prompt: a text of others stands between two lines of marks, whose number is made of the
 * text, so that it cannot hold the mark that ends it.
 *
 *     marked_put(program, "program", &prompt);
 *     // === program 1a2b3c4d ===
 *     // ...
 *     // === end of program 1a2b3c4d ===
 */
#ifndef GENERATE_MARKED_H
#define GENERATE_MARKED_H

#include "base/str.h"

void marked_put(struct str data, const char *what, struct strbuf *out);

#endif
