/* Writes text from outside as Markdown: shown as it is, never taken for markup. */
#ifndef REPORT_MARKDOWN_TEXT_P_H
#define REPORT_MARKDOWN_TEXT_P_H

#include "base/str.h"

/* Inside a line: a heading, a paragraph, a list, a cell of a table. */
void markdown__text(struct str s, struct strbuf *out);
/* Inside a line, as code; not in a cell of a table. */
void markdown__code(struct str s, struct strbuf *out);
/* Lines as a block of code that ends with a newline; language: "python", or "". */
void markdown__block(struct str s, const char *language, struct strbuf *out);
/* A comment, in one line: not shown. */
void markdown__comment(struct str s, struct strbuf *out);

#endif
