/*
 * Who is wrong when a call does something else than was predicted: statements of the document, the
 * abstract run (FakeTensor, tracing, our inference) and the real run are three witnesses, and the
 * one that the other two contradict is blamed.
 */
#ifndef GENERATE_FORETELL_BLAME_H
#define GENERATE_FORETELL_BLAME_H

#include "generate/foretell/predict.h"

enum blame {
    BLAME_NOBODY,   /* all agree, or nothing was stated */
    BLAME_DOCUMENT, /* the abstract and the real run agree against a statement */
    BLAME_ABSTRACT, /* the statement and the real run agree against the abstract run */
    BLAME_CODE,     /* the statement and the abstract run agree, or the real run died */
    BLAME_OPEN,     /* the abstract and the real run differ, and no statement decides */
    BLAME_COUNT
};

const char *blame_name(enum blame b);

enum blame blame_of(const struct prediction all[PREDICTOR_COUNT], enum change_kind change,
                    const struct call_outcome *real);

#endif
