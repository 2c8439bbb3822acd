/*
 * Findings that a person has judged: share/documents/FRAMEWORK.json. A row of "defects" has the
 * API, the class (D1: the document is wrong; D3: the code is), the kind of finding, the sentence,
 * what happens, a script that exits with a status other than 0 while the defect exists, and a link
 * to a report by others; "again" is the class of a second judging, by statement and script only. A
 * row of "right" says why there is no defect.
 *
 *     const struct judged_row *row = judged_find(&all, name, "example", source);
 */
#ifndef DOCUMENTS_JUDGED_H
#define DOCUMENTS_JUDGED_H

#include "base/json.h"

struct judged_row {
    struct str api, kind, class; /* class: "D1", "D3"; "": the document is right */
    struct str source;           /* first line of the statement; "": any */
    struct str sentence, happens, why, link;
    const struct str *also; /* APIs with the same passage */
    size_t n_also;
    const struct str *script; /* its lines */
    size_t n_script;
};

struct judged {
    const struct judged_row *at;
    size_t n;
    struct str version; /* of the framework, that was judged; "": there is no file */
};

/* A framework without a file has no rows. ERR_DATA: the file is wrong. */
bool judged_load(struct str framework, struct arena *a, struct judged *out, struct err *e);

/* kind: "example", "default", "name". */
const struct judged_row *judged_find(const struct judged *all, struct str api, const char *kind,
                                     struct str source);

#endif
