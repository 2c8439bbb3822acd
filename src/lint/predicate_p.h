/*
 * The rule language inside: predicates compiled from JSON, evaluated against one file.
 *
 * A check is a conjunction of predicates over captures. Evaluation goes through the list with a
 * continuation: a predicate that can bind a capture in several ways runs the rest of the list for
 * each way. The answer is three-valued: TRUE when one way makes all true, UNKNOWN when one might.
 * The C stack grows with the length of a rule (at most RULE_PREDICATES_MAX), never with the file.
 */
#ifndef LINT_PREDICATE_P_H
#define LINT_PREDICATE_P_H

#include "base/json.h"
#include "base/map.h"
#include "lint/file_p.h"
#include "lint/rule.h"

enum {
    CAPTURES_MAX = 24,
    CAPTURE_NO = 255,
    RULE_PREDICATES_MAX = 200,
    RULE_DEPTH_MAX = 24,
    MATCH_BUDGET = 400000 /* predicates run per rule and file; beyond: unknown */
};

struct predicate_kind;

struct predicate {
    const struct predicate_kind *kind;
    const void *data;
    uint32_t line;
};

struct predicates {
    const struct predicate *at;
    size_t n;
};

/* What a capture holds. `node` is always set, the other fields for an event, a loop or a scope. */
enum capture_kind {
    CAPTURE_UNBOUND,
    CAPTURE_NODE,
    CAPTURE_EVENT,
    CAPTURE_LOOP,
    CAPTURE_SCOPE,
    CAPTURE_OBJECT
};

struct capture {
    enum capture_kind kind;
    uint32_t node;
    uint32_t scope;  /* events, loops: the scope of their control flow */
    uint32_t step;   /* events: step; loops: number */
    uint32_t object; /* events: subject; OBJECT_NONE */
    uint32_t other;
    enum role role;
};

struct match {
    struct lint_file *file;
    struct capture captures[CAPTURES_MAX];
    enum confidence confidence; /* the lowest confidence that the bindings rest on */
    uint32_t n_left;            /* budget */
    uint32_t n_unsure;          /* unknown answers passed on the way here */
    const struct check *check;  /* being matched */
    enum confidence least;      /* a match below it is not wanted */
    struct str note;            /* what the data say of the match: "{@}" in its message */
    bool is_nested;             /* inside a predicate that needs the answer: no match is dropped */
};

struct rest {
    struct predicates list;
    size_t at;
    const struct rest *then;
    enum truth (*done)(struct match *m, void *ctx);
    void *ctx;
};

/* Runs what follows; the end of a list without `then` and `done` is TRUE. */
enum truth match_rest(struct match *m, const struct rest *r);

/* Is the list true for the captures as they are? Bindings made inside are undone. */
enum truth match_all(struct match *m, struct predicates list);

/* Binds the capture, or tests that it is bound to the same thing. Runs the rest with the confidence
 * lowered to c, then undoes the binding. t: the answer so far, TRUE or UNKNOWN. */
enum truth match_bind(struct match *m, uint8_t capture, const struct capture *value,
                      enum confidence c, enum truth t, const struct rest *r);
enum truth match_go(struct match *m, enum confidence c, enum truth t, const struct rest *r);

/* Is the text like one of the patterns, which are lower case? */
bool match_is_like(const struct str *patterns, size_t n, struct str text);

/* Can an enumeration end early, because more candidates cannot change the answer? */
static inline bool match_is_settled(const struct match *m, enum truth t)
{
    return t == TRUTH_TRUE || m->n_left == 0;
}

/* ---- compiling ---- */

struct compile {
    struct rule_set *set;
    struct arena *arena;
    const char *file;
    struct map captures; /* name to number, per check */
    uint32_t n_captures;
    uint32_t n_predicates, depth;
    struct map *guards;                        /* name to const struct json * */
    const struct predicate_kind *const *kinds; /* the predicates of the language */
    size_t n_kinds;
    /* inside a guard: maps its captures to the caller's */
    const struct json *renames;
};

struct predicate_kind {
    const char *name; /* the key of the main capture or word */
    const char *const *keys;
    size_t n_keys;
    bool (*compile)(struct compile *c, const struct json *j, void **out, struct err *e);
    enum truth (*run)(struct match *m, const void *data, const struct rest *r);
};

const struct predicate_kind *const *predicate__list(size_t *n);

bool compile__predicates(struct compile *c, const struct json *list, struct predicates *out,
                         struct err *e);
bool compile__predicate(struct compile *c, const struct json *j, struct predicate *out,
                        struct err *e);

/* The number of the capture "$name" under the key; CAPTURE_NO when the key is absent or null. */
bool compile__capture(struct compile *c, const struct json *j, const char *key, uint8_t *out,
                      struct err *e);
/* Like compile__capture, but the key must be there. */
bool compile__need_capture(struct compile *c, const struct json *j, const char *key, uint8_t *out,
                           struct err *e);
bool compile__fail(const struct compile *c, const struct json *j, struct err *e, const char *fmt,
                   ...) PRINTF_LIKE(4, 5);

/* A list of strings, or one string; empty when absent. */
bool compile__strings(struct compile *c, const struct json *j, const char *key,
                      const struct str **out, size_t *n, struct err *e);
bool compile__words(struct compile *c, const struct json *j, const char *key, uint32_t **out,
                    size_t *n, struct err *e);
bool compile__roles(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                    struct err *e);
bool compile__types(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                    struct err *e);
bool compile__traits(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                     struct err *e);
bool compile__domains(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                      struct err *e);

/* ---- node patterns: what call, attribute, flow and absence share ---- */

enum literal_kind { LITERAL_NONE, LITERAL_BOOL, LITERAL_NULL, LITERAL_NUMBER, LITERAL_TEXT };

struct literal {
    enum literal_kind kind;
    bool truth;
    double number;
    struct str text;
};

struct node_pattern {
    uint32_t *paths, *below;        /* qualified names; prefixes ("torch.optim.*") */
    struct prefilter_clause *roots; /* words of which a file has one when it means anything below;
                                       NULL: none is needed */
    size_t n_paths, n_below;
    uint32_t *methods, *names, *attributes;
    size_t n_methods, n_names, n_attributes;
    uint64_t of, types, roles, traits;
    uint64_t nodes[2]; /* enum py_kind as bits */
    const struct str *like;
    size_t n_like;
    uint32_t *words; /* last words of paths, methods and names, by which candidates are found */
    size_t n_words;
    uint32_t *made_by; /* for a call of an object: calls of which one made the object */
    size_t n_made_by;
    uint8_t same, node_is; /* the same object as this capture; the very node of it */
    uint8_t capture;       /* bound to */
    bool not_of;           /* `of` lists what it must not be */
    bool is_parameter;     /* a name that only the function's parameter gives a value */
};

struct node_pattern_list {
    const struct node_pattern *at;
    size_t n;
};

struct answer {
    enum truth truth;
    enum confidence confidence;
};

#define NODE_PATTERN_KEYS                                                                          \
    "path", "method", "name", "attribute", "of", "type", "role", "trait", "node", "like", "same",  \
        "as", "not-of", "made-by", "node-is", "parameter"

bool node_pattern__compile(struct compile *c, const struct json *j, struct node_pattern *out,
                           struct err *e);
bool node_pattern__compile_list(struct compile *c, const struct json *j, const char *key,
                                struct node_pattern_list *out, struct err *e);
struct answer node_pattern__test(struct match *m, const struct node_pattern *s, uint32_t node);
/* The answer of the first pattern that is not false. */
struct answer node_pattern__test_list(struct match *m, const struct node_pattern_list *l,
                                      uint32_t node, const struct node_pattern **which);
bool literal__compile(struct compile *c, const struct json *j, const char *key, struct literal *out,
                      struct err *e);
enum truth literal__test(const struct match *m, const struct literal *l, uint32_t node);

/* Collects the calls (or attributes) that may fit the pattern, in source order. */
struct node_vec {
    VEC(uint32_t) list;
};
void node_pattern__candidates(struct match *m, const struct node_pattern *s, bool attributes,
                              struct node_vec *out);

/* The argument that a call gives for a parameter of the function of this file that it calls; 0: not
 * known. */
uint32_t argument__given_for(const struct match *m, uint32_t call, uint32_t scope, uint32_t word);

/* ---- captures read ---- */

uint32_t capture__node(const struct match *m, uint8_t capture);
uint32_t capture__object(struct match *m, uint8_t capture);
uint32_t capture__scope(struct match *m, uint8_t capture); /* the scope of its control flow */
uint32_t capture__step(struct match *m, uint8_t capture);  /* STEP_NONE */
bool capture__is_bound(const struct match *m, uint8_t capture);
struct capture capture_of_node(uint32_t node);

/* ---- a check ---- */

enum edit_op {
    EDIT_REPLACE,
    EDIT_BEFORE,
    EDIT_AFTER,
    EDIT_DELETE_STATEMENT,
    EDIT_ADD_ARGUMENT,
    EDIT_LINE_BEFORE,
    EDIT_LINE_AFTER,
    EDIT_DELETE_ARGUMENT,
    EDIT_WRAP_STATEMENT,
    N_EDIT_OPS
};

struct edit_step {
    enum edit_op op;
    uint8_t at;
    struct str text;
};

struct edit_plan {
    struct predicates when;
    enum safety safety;
    struct str title;
    const struct edit_step *steps;
    size_t n_steps;
};

struct related_plan {
    uint8_t at;
    struct str text;
};

struct check {
    struct predicates find, unless, low, medium;
    bool unknown_is_low;
    uint8_t report;
    struct str message;
    const struct related_plan *related;
    size_t n_related;
    const struct edit_plan *edits;
    size_t n_edits;
    struct str *capture_names;
    uint32_t n_captures;
    const struct prefilter *prefilter;
};

/* A word of the rule set, valid as long as the set. */
uint32_t rule_set__word(struct rule_set *s, struct str text);

bool compile__rule(struct compile *c, const struct json *j, struct rule *out, struct err *e);

#endif
