/* Paths as URIs, for the two writers of SARIF. */
#ifndef REPORT_URI_P_H
#define REPORT_URI_P_H

#include "base/str.h"

/* Adds a path as a relative reference of RFC 3986, without a leading "./". */
void report__add_uri(struct str path, struct strbuf *out);

#endif
