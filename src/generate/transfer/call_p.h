/* The parts of call.c: edits of a call, and the call as a program. */
#ifndef GENERATE_TRANSFER_CALL_P_H
#define GENERATE_TRANSFER_CALL_P_H

#include "generate/transfer/call.h"

/* Rows of call_edits.def. */
enum call_edit {
#define CALL_EDIT(id, name, keeps_dtypes, help) CALL_EDIT_##id,
#include "generate/transfer/call_edits.def"
#undef CALL_EDIT
    CALL_N_EDITS
};
const char *call__edit_name(enum call_edit e);
/* Does the edit keep the dtypes of all tensors? Then results must have equal dtypes too. */
bool call__keeps_dtypes(enum call_edit e);

/* Changes a copy of the call. false: the edit does not apply to it. */
bool call__edit(const struct call *from, enum call_edit e, struct rng *r, struct arena *a,
                struct call *out);

/* One framework's form of the call. */
struct call_form {
    const struct call_framework *framework;
    struct str symbol;
    struct call call;
    bool same_dtypes; /* its pair gave equal dtypes where it was verified */
};

/* false: an argument has no form in a program. */
bool call__write(const struct call_form *forms, size_t n, bool same_dtypes, struct arena *a,
                 struct strbuf *out);

#endif
