/* A finding as a stand-alone Python program: it exits 1 while document and behaviour differ. */
#ifndef DOCUMENTS_SCRIPT_H
#define DOCUMENTS_SCRIPT_H

#include "documents/check.h"

/* Writes the whole program to `out`; framework: that of the records, "torch". */
void document_script(const struct document_finding *f, struct str framework, struct strbuf *out);

#endif
