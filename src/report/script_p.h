/* The stand-alone script of a bug, per kind of case. b->c is there. */
#ifndef REPORT_SCRIPT_P_H
#define REPORT_SCRIPT_P_H

#include "report/report.h"

bool script__write_graph(const struct report_bug *b, const char *version, struct strbuf *out,
                         struct err *e);
bool script__write_program(const struct report_bug *b, const char *version, struct strbuf *out,
                           struct err *e);

#endif
