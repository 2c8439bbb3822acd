/*
 * Calls as data: a symbol and its arguments, as py/assay_worker/foretold.py reads and makes them.
 * Immutable, in the caller's arena; an argument is kept as the JSON that it was read from.
 *
 *     struct api_calls seeds;
 *     if (!api_calls_read(text, "seeds", arena, &seeds, e)) ...
 *     api_call_write(&seeds.at[0], &json);  // {"symbol": ..., "args": [...], "keys": {...}}
 *     api_call_print(&seeds.at[0], CALL_TENSORS_WRITTEN, &text);
 *                                         // torch.add(torch.tensor(...), 2, alpha=3)
 *                                         // torch.nn.ELU(2.0)(torch.tensor(...))
 */
#ifndef GENERATE_FORETELL_API_CALL_H
#define GENERATE_FORETELL_API_CALL_H

#include "base/json.h"

enum { CALL_ARGUMENTS_MAX = 32, CALL_LEAVES_MAX = 16, CALL_DIMS_MAX = 8 };

enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_BOOL,
    ARGUMENT_INT,
    ARGUMENT_FLOAT,
    ARGUMENT_COMPLEX,
    ARGUMENT_WORD,
    ARGUMENT_DTYPE,
    ARGUMENT_LIST,
    ARGUMENT_TENSOR
};

struct argument {
    struct str name; /* "": positional */
    enum argument_kind kind;
    const struct json *value;
};

/* One tensor or number of a result. */
struct leaf {
    struct str dtype;
    size_t dims[CALL_DIMS_MAX];
    unsigned rank;
};

enum outcome_kind {
    OUTCOME_KIND_OK,
    OUTCOME_KIND_RAISED,
    OUTCOME_KIND_DIED,
    OUTCOME_KIND_HANGS,
    OUTCOME_KIND_FLAKY, /* a second run gave another outcome, exception, type or shape */
    OUTCOME_KIND_ABSTAINS,
    OUTCOME_KIND_COUNT
};

/* A crash, a hang, or two runs that differ: no result to compare with a prediction. */
static inline bool outcome_kind_is_failure(enum outcome_kind k)
{
    return k == OUTCOME_KIND_DIED || k == OUTCOME_KIND_HANGS || k == OUTCOME_KIND_FLAKY;
}

struct call_outcome {
    enum outcome_kind is;
    struct str type, message; /* RAISED */
    struct leaf leaves[CALL_LEAVES_MAX];
    size_t n_leaves;
    /* of an abstract run: [[name, type of a tensor given, ...], ...], what it called; NULL: unknown
     */
    const struct json *kernels;
    const struct json
        *marks; /* [word, ...], what is odd about the kernels' tensors; NULL: nothing */
};

struct api_call {
    struct str symbol, op;
    bool is_class; /* the object that is made is called */
    size_t n_made; /* is_class: so many positional arguments are the constructor's, all named too */
    bool is_step;  /* one step of the optimiser that is made: a parameter, its gradient, options */
    const struct json *types; /* element types that the framework declares; NULL: none */
    bool is_random;           /* its values are drawn, of a module also its weights */
    struct argument arguments[CALL_ARGUMENTS_MAX];
    size_t n_arguments;
    struct call_outcome before; /* of a seed: its outcome */
};

struct api_calls {
    struct api_call *at;
    size_t n;
};

/* Reads one JSON object per line; a call with more than CALL_ARGUMENTS_MAX arguments is left out.
 * ERR_DATA: a line is no call. */
bool api_calls_read(struct str text, const char *name, struct arena *a, struct api_calls *out,
                    struct err *e);

/* *fits: it has at most CALL_ARGUMENTS_MAX arguments. ERR_DATA: it is no call. */
bool api_call_read(const struct json *j, struct api_call *out, bool *fits, struct err *e);

bool call_outcome_read(const struct json *j, struct call_outcome *out, struct err *e);

enum argument_kind argument_kind_of(const struct json *value);

/* dtype and shape of a tensor argument; false: it is none, or has more than CALL_DIMS_MAX dims. */
bool argument_leaf(const struct argument *x, struct leaf *out);
/* The value of an integer or a finite float; false: it is none. */
bool argument_number(const struct argument *x, double *out);
struct str argument_dtype(const struct argument *x); /* "": no tensor */

/* "works float32(2,3)", "raises TypeError: ...", "dies", "hangs", "is flaky", "abstains". */
struct str call_outcome_text(const struct call_outcome *o, struct arena *a);

bool leaf_equal(const struct leaf *x, const struct leaf *y);

size_t api_call_tensors(const struct api_call *c); /* how many arguments are tensors */

/* Writes the call with argument `at` replaced by JSON text; at == n_arguments: unchanged. */
void api_call_write(const struct api_call *c, size_t at, struct str replaced, struct json_out *w);

/* How the tensors of a printed call look: torch.tensor([...]), x0, float32[2, 3]. Named are only
 * arguments, not the tensors of a list. */
enum call_tensors { CALL_TENSORS_WRITTEN, CALL_TENSORS_NAMED, CALL_TENSORS_TYPED };

/* Prints the call as Python. */
void api_call_print(const struct api_call *c, enum call_tensors tensors, struct strbuf *out);

/* Prints the value of an argument as Python; tensors are torch's, or arrays of NumPy. */
void argument_print(const struct json *value, bool torch, struct strbuf *out);

#endif
