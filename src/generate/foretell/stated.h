/*
 * What a document says of a call as it stands, without a seed that works: the call raises, since it
 * breaks a statement, or works, since it keeps to all that is said of its arguments. Only the
 * outcome is predicted.
 *
 *     unsigned doubted = 0;
 *     for (each known call that works) doubted |= stated_of(record, documented, &seed).reasons;
 *     struct stated told = stated_of(record, documented, &call);
 *     told.reasons &= ~doubted;    // a reason by which calls that work should raise is none
 */
#ifndef GENERATE_FORETELL_STATED_H
#define GENERATE_FORETELL_STATED_H

#include "documents/parameter.h"
#include "documents/record.h"
#include "generate/foretell/api_call.h"

/* Why a call should raise. */
enum stated_reason {
#define STATED(id, help) STATED_##id,
#include "generate/foretell/stated.def"
#undef STATED
    STATED_COUNT
};

struct stated {
    unsigned reasons; /* set of 1u << enum stated_reason */
    size_t n_kept;    /* statements that the call keeps to */
};

const char *stated_reason_name(enum stated_reason r);

/* documented: that of the record. */
struct stated stated_of(const struct api_record *r, const struct documented_parameters *documented,
                        const struct api_call *call);

#endif
