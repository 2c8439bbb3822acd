/* A finding as a stand-alone Python program: exit status 1 while the document and what happens
 * differ. */
#ifndef DOCUMENTS_SCRIPT_H
#define DOCUMENTS_SCRIPT_H

#include "documents/check.h"

/* framework: of the records, "torch". Text of the whole program. */
void document_script(const struct document_finding *f, struct str framework, struct strbuf *out);

#endif
