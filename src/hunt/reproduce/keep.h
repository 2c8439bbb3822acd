/* Cases and evidence as artifacts of a campaign. */
#ifndef HUNT_REPRODUCE_KEEP_H
#define HUNT_REPRODUCE_KEEP_H

#include "hunt/runner/runner.h"
#include "store/artifact.h"

/* The case as an artifact below out; scratch: a folder name that no other caller uses, while it is
 * written; kind: "case" or "reproducer". row: of the artifact. */
bool keep_case(const char *out, const char *scratch, const char *kind, const struct tcase *c,
               struct arena *a, struct store_artifact *row, struct err *e);

/* Verdicts and the failing observation, into the folder of the kept case. */
bool keep_evidence(const char *dir, const struct judged *seen, const struct key *k, struct arena *a,
                   struct err *e);

/* Beside a program: how its engine runs one alone, where that is known. */
bool keep_runner(const char *dir, const struct tcase *c, struct str script, struct arena *a,
                 struct err *e);

#endif
