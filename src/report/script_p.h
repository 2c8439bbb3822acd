/* The stand-alone script of a bug, per kind of case. b->c is not NULL. */
#ifndef REPORT_SCRIPT_P_H
#define REPORT_SCRIPT_P_H

#include "report/report.h"

enum { SCRIPT_TIMEOUT_S = 60 };

/* script_part.c */
bool script__part(const char *name, struct str *text, struct err *e); /* share/script/NAME.py */
void script__docstring(const struct report_bug *b, const char *version, struct strbuf *out);
/* The mode's options from the engine's description; NULL: none. */
const struct json *script__mode_options(const struct json *description, struct str mode);
/* Statements that start the script anew on the CPU that the mode emulates; nothing where it
 * emulates none. They leave with 2 where the emulator is missing. */
void script__cpu(const struct json *description, struct str mode, struct strbuf *out);
/* Which check shows the bug: "values", "bits", "gradient", "error", "died". */
const char *script__check(const struct store_bug *b);
/* How far an element of the output may be off. */
double script__tolerance(const struct store_bug *b, const struct value *v);
size_t script__output_at(const struct graph *g, struct str name);

/* script_emitted.c: for an engine whose description has `emit`. */
bool script__write_emitted(const struct report_bug *b, const struct json *description,
                           const char *version, struct strbuf *out, struct err *e);

bool script__write_graph(const struct report_bug *b, const char *version, struct strbuf *out,
                         struct err *e);
bool script__write_program(const struct report_bug *b, const char *version, struct strbuf *out,
                           struct err *e);

#endif
