/* The formats of bug reports, one function per file, and what they share. */
#ifndef REPORT_REPORT_P_H
#define REPORT_REPORT_P_H

#include "report/report.h"

#define FORMAT(name, extension, for_one, write, help)                                              \
    bool write(const struct report *r, struct strbuf *out, struct err *e);
#include "report/formats.def"
#undef FORMAT

/* "ort@1.31.1/all" */
void report__target(const struct store_bug *b, struct strbuf *out);

/* Shows the graph in a few lines for people. */
void report__graph_text(const struct model *m, struct strbuf *out);

/* Writes the stand-alone program of one bug. ERR_DATA: its case is gone; ERR_UNSUPPORTED: the case
 * holds what cannot be written as Python. */
bool report__write_script(const struct report_bug *b, const char *version, struct strbuf *out,
                          struct err *e);

#endif
