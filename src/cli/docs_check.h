/* `assay docs check FRAMEWORK`: runs every documented example of an installed framework and
 * compares what it prints. */
#ifndef CLI_DOCS_CHECK_H
#define CLI_DOCS_CHECK_H

#include "cli/settings.h"
#include "documents/record.h"
#include "target/target.h"

/* An installed framework and the records of its API, which are dumped once per version. */
struct docs {
    struct targets targets;
    const struct target_installation *installation;
    const char *home, *out; /* out: folder of this framework and version */
    struct api_records records;
};

bool docs_open(const struct settings *s, const char *framework, struct docs *out, struct err *e);

bool docs_check(const struct settings *s, const char *framework, int *exit_code, struct err *e);

#endif
