/* Cases and evidence as artifacts of a campaign. */
#ifndef HUNT_REPRODUCE_KEEP_H
#define HUNT_REPRODUCE_KEEP_H

#include "hunt/runner/runner.h"
#include "store/artifact.h"

/* Writes the case as an artifact below `out`; *row describes it. scratch: the folder's name while
 * it is written, used by no other caller; kind: "case" or "reproducer". */
bool keep_case(const char *out, const char *scratch, const char *kind, const struct tcase *c,
               struct arena *a, struct store_artifact *row, struct err *e);

/* Writes verdicts and the failing observation into the folder of a kept case. */
bool keep_evidence(const char *dir, const struct judged *seen, const struct key *k, struct arena *a,
                   struct err *e);

/* Adds to the folder of a program case a script that runs the program in its engine without assay,
 * where the engine has one. */
bool keep_runner(const char *dir, const struct tcase *c, struct str script, struct arena *a,
                 struct err *e);

#endif
