/*
 * struct file_summary: what one file tells others about its functions and classes. It is small and
 * does not need the tree; pass 1 makes it for pass 2.
 *
 *     struct file_summary s;
 *     summary_build(&types, arena, &s);        // callees first, cycles by fixpoint
 *     summary_write(&s, paths, &buffer);       // compact bytes, the same in every run
 *     ...
 *     summary_read(bytes, paths, arena, &s, e);
 *     struct summary_set *set = summary_set_new();      // the project
 *     summary_set_add(set, &s);  summary_set_link(set);
 *     const struct function_summary *f = summary_set_function(set, path);
 *
 * A function's effects are on slots: its parameters, attribute paths of a parameter
 * (`self.optimizer`), outer names. MAY: on some path; MUST: on every path from entry to exit. A
 * slot given to unknown code escapes: then any effect may happen. Linking repeats until nothing
 * changes; effects only grow and MUST only shrinks, so it ends.
 */
#ifndef PYTHON_SUMMARY_H
#define PYTHON_SUMMARY_H

#include "base/hash.h"
#include "python/types.h"

enum { SLOT_OUTER = 255, RETURN_MAX = 8 };

/* What happens to one object. Roles are bits 1 << enum role. */
struct summary_effect {
    uint8_t parameter; /* from 0; SLOT_OUTER: `root` is an outer name */
    uint8_t n_path;
    uint32_t root;             /* word */
    uint32_t path[FLOW_DEPTH]; /* words */
    uint64_t may, must;
    enum value_type type; /* the best guess from its uses */
    enum confidence confidence;
    uint32_t object; /* of struct types, the same in all functions of the file; not written */
    bool is_field;   /* SLOT_OUTER: the path is one of the receiver's fields */
};

/* A condition on a parameter of a function. */
enum flag_kind { FLAG_TRUTH, FLAG_PRESENCE /* is not None */, FLAG_TEXT /* == "..." */ };
struct flag_test {
    uint8_t kind; /* enum flag_kind */
    bool is_negated;
    uint8_t parameter;
    uint32_t text; /* hash */
};

/* A role of an effect happens only where a test is true. */
struct summary_guard {
    uint32_t effect; /* index */
    uint8_t role;
    bool is_certain; /* then on every path */
    bool sets_mode;  /* ROLE_MODE: train where the test is true, else eval */
    struct flag_test test;
};

/* Is the function a decorator that leaves a function what it is, or does a call of it make one? */
enum decorates { DECORATES_NOT, DECORATES, MAKES_DECORATOR };

/* What is returned at one index of a tuple (or the value itself when n_returns == 1). */
struct summary_return {
    enum domain domain; /* the same on every return, else DOMAIN_ANY */
    enum value_type type;
    int8_t parameter;    /* the value is this parameter itself; -1: none */
    uint32_t class_path; /* an object of this class, PATH_NONE */
    uint32_t api_path;   /* an object that this API makes, PATH_NONE */
    struct made_module made;
    bool has_graph;          /* certainly has a graph */
    bool is_cut;             /* never has a graph */
    uint32_t holds;          /* an optimizer of these parameters of the function, as bits */
    uint32_t holds_returned; /* ... and of these other values returned, or parts, as bits */
    int8_t entry;            /* made by calling a value of this parameter, a dict of classes; -1 */
};

/* The value under a word in the one dict or object that is returned: {"logits": x},
 * Output(logits=x). */
struct summary_part {
    uint32_t key; /* word */
    struct summary_return value;
};

/* The parameters of one module are set from another's, or iterated together with them. Each module
 * is a parameter, or is in one under a word. */
struct summary_blend {
    uint8_t parameter[2];
    uint32_t key[2]; /* WORD_NONE: the parameter itself */
};

struct summary_call {
    uint32_t path;   /* the function called, defined elsewhere */
    uint32_t offset; /* in the text */
    uint8_t n_arguments;
    uint8_t argument[8]; /* effect index + 1 of the argument at each position; 0: none */
    bool is_must;        /* on every path */
};

/* Slots of a call: its arguments, then values under constant keys of dicts among them. */
enum {
    GIVEN_RECEIVER = 255,
    GIVEN_MAX = 16,
    GIVEN_PARTS_MAX = 12,
    SLOTS_MAX = GIVEN_MAX + GIVEN_PARTS_MAX
};

/* The place of the slot GIVEN_MAX + i: under this word of an argument (GIVEN_RECEIVER: a field of
 * the object whose method is called), or of a parameter. */
struct given_part {
    uint8_t at;
    uint32_t key; /* word */
};

/* What one call gives for an argument, or what a function gets for a parameter. */
struct given_fact {
    enum value_type type;
    enum confidence confidence;
    uint32_t api_path, class_path; /* what made it; PATH_NONE */
    enum domain domain;
    enum module_mode mode; /* of a module, at the call */
    enum loader_role role;
    int8_t parameter; /* it is this parameter of the caller; -1: none */
    uint32_t key;     /* ... or the value in that parameter under this word; WORD_NONE */
    struct made_module made;
    uint32_t holds;           /* of an optimizer: bits of the slots that it is known to hold */
    struct constant constant; /* for a flag of the function called */
};

/* A call that leads out of the file, and its arguments. */
struct summary_site {
    uint32_t caller, callee; /* paths; caller PATH_NONE: module level */
    uint32_t line;
    uint8_t n_given;
    bool is_bound;             /* the first parameter is the receiver */
    bool is_own;               /* self.m(...): runs the methods of derived classes that replace m */
    bool in_no_grad;           /* the call has no gradients, or it is not known */
    bool in_loop;              /* in a loop of its function, or of the module */
    bool may_clear;            /* its function also clears gradients, or passes the receiver on */
    uint32_t words[GIVEN_MAX]; /* keywords; WORD_NONE: by position */
    struct given_fact given[SLOTS_MAX];
    uint8_t n_parts;
    struct given_part parts[GIVEN_PARTS_MAX];
};

/* One way in which a function is called from other files, by parameter. */
struct call_context {
    struct given_fact given[SLOTS_MAX];
    uint8_t n_parts;
    struct given_part parts[GIVEN_PARTS_MAX];
    uint32_t module, line; /* of a call of this kind */
    /* from one of the calls: */
    bool in_no_grad, in_loop, may_clear;
    uint32_t next; /* another of the same function; UINT32_MAX */
};

struct function_summary {
    uint32_t path;  /* "<module>.Net.forward" */
    uint32_t start; /* offset of the definition */
    uint8_t n_parameters;
    const uint32_t *parameters; /* words */
    const struct summary_effect *effects;
    uint32_t n_effects;
    const struct summary_guard *guards;
    uint32_t n_guards;
    struct flag flags[FLAGS_MAX];
    uint8_t n_flags;
    uint32_t called; /* parameters that it calls, as bits */
    const struct summary_return *returns;
    uint8_t n_returns; /* 0: nothing; 1: one value; else a tuple of that length on each return */
    const struct summary_part *parts;
    uint8_t n_parts;
    const struct summary_blend *blends;
    uint8_t n_blends;
    bool in_no_grad; /* decorated, or all its body is in such a region */
    bool is_generator;
    bool is_opaque;    /* decorated by something unknown, too large or damaged */
    uint8_t decorates; /* enum decorates */
    const struct summary_call *calls;
    uint32_t n_calls;
    uint32_t *callers; /* functions in the set that call it, by index: filled by linking */
    uint32_t n_callers;
};

/* A field of self that the class writes once. */
struct class_field {
    uint32_t word;
    struct given_fact fact; /* parameter: of __init__; holds: bits of fields of the class */
};

struct class_summary {
    uint32_t path, line;
    const struct class_field *fields;
    uint32_t n_fields;
    const uint32_t *bases; /* paths; PATH_NONE: not known */
    uint32_t n_bases;
    enum value_type type;
    uint64_t traits; /* of the modules that it makes: TRAIT_HAS_MODE, TRAIT_HAS_PARAMETERS */
    bool has_unknown_members;
};

struct summary_export {
    uint32_t path, target; /* "<module>.x" means target: a re-export */
    bool is_star;          /* path is the module, target another module: all its names */
};

/* An object made once at module level that others may import: a criterion, a model. */
struct summary_value {
    uint32_t path;
    enum value_type type;
    enum confidence confidence;
    uint32_t api_path, class_path; /* what made it; PATH_NONE */
    struct summary_return entries; /* of a dict: what a call of any of its values gives */
};

struct file_summary {
    uint32_t module;
    struct function_summary *functions;
    uint32_t n_functions;
    struct class_summary *classes;
    uint32_t n_classes;
    struct summary_export *exports;
    uint32_t n_exports;
    struct summary_value *values;
    uint32_t n_values;
    struct summary_site *sites;
    uint32_t n_sites;
    const uint32_t
        *imports; /* paths of imported modules: for the order of pass 2 and the keys of the cache */
    uint32_t n_imports;
};

void summary_build(const struct types *k, struct arena *a, struct file_summary *out);
/* The summary of one function, cached in `types`, which types_events uses for calls within the
 * file. NULL: not a function. */
const struct function_summary *summary_of(const struct types *k, uint32_t scope);

void summary_write(const struct file_summary *s, const struct paths *paths,
                   const struct py_parser *words, struct strbuf *out);
bool summary_read(struct str bytes, struct paths *paths, struct py_parser *words, struct arena *a,
                  struct file_summary *out, struct err *e);

struct summary_set;
struct summary_set *summary_set_new(void);
void summary_set_free(struct summary_set *set);
void summary_set_add(struct summary_set *set,
                     const struct file_summary *s); /* borrowed until the set is freed */
void summary_set_link(struct summary_set *set, struct paths *paths);
const struct function_summary *summary_set_function(const struct summary_set *set, uint32_t path);
const struct class_summary *summary_set_class(const struct summary_set *set, uint32_t path);
const struct summary_value *summary_set_value(const struct summary_set *set, uint32_t path);
/* The method of a class or of its bases in the project; NULL: none, or a base is not known. */
const struct function_summary *summary_set_method(const struct summary_set *set,
                                                  uint32_t class_path, uint32_t word);
/* The field in which a class or its only base in the project, *owner, keeps something; NULL: not
 * known. */
const struct class_field *summary_set_field(const struct summary_set *set, uint32_t class_path,
                                            uint32_t word, const struct class_summary **owner);
/* Does making an object of the class run the __init__ of the owner itself, so that parameters of
 * its fields are those of the call? */
bool summary_set_runs_init(const struct summary_set *set, uint32_t class_path,
                           const struct class_summary *owner);
/* Iterates over the classes that derive from a class, directly or not. *at: UINT32_MAX at first,
 * then left as it is. NULL: no more. Needs summary_set_find_contexts. */
const struct class_summary *summary_set_below(const struct summary_set *set, uint32_t class_path,
                                              uint32_t *at);
/* A field, and below a method, of the class itself, not of a base; NULL: none. */
const struct class_field *class_summary_field(const struct class_summary *c, uint32_t word);
const struct function_summary *summary_set_own_method(const struct summary_set *set,
                                                      const struct class_summary *c, uint32_t word);
/* All that the methods of a class may do to objects that outlive them, as bits of roles. */
uint64_t summary_set_class_roles(const struct summary_set *set, uint32_t class_path);
/* Derives how functions are called from other files, once all summaries are added. */
void summary_set_find_contexts(struct summary_set *set);
/* The first of at most CONTEXTS_MAX contexts; the next ones: summary_set_context(set, c->next);
 * NULL. */
const struct call_context *summary_set_contexts(const struct summary_set *set, uint32_t path);
const struct call_context *summary_set_context(const struct summary_set *set, uint32_t at);
/* What a context gives for a parameter, or under a word of it (WORD_NONE: for the parameter
 * itself). */
const struct given_fact *call_context_given(const struct call_context *c, int at, uint32_t key);
/* The place in another file that shows something about the function around an offset of a module: a
 * call of it, a call that makes the object whose method it is, or a derived class that sets its
 * fields. False: there is none. */
struct summary_witness {
    uint32_t module, line;
    bool is_class;
};
bool summary_set_witness(const struct summary_set *set, uint32_t module, uint32_t offset,
                         const struct py_parser *words, struct summary_witness *out);
/* Do contexts say more about the functions of a module than their own file? */
bool summary_set_has_contexts(const struct summary_set *set, uint32_t module);
/* Adds all contexts of the functions of a module to a hash, for the key of an answer that depends
 * on them. */
void summary_set_hash_contexts(const struct summary_set *set, uint32_t module,
                               const struct py_parser *words, struct hasher *h);

void summary_set_dump_contexts(const struct summary_set *set, const struct py_parser *words,
                               struct strbuf *out);

/* Announces a module that will be added later. Failed look-ups of its names are counted, so that
 * the caller knows whether an answer may still change. */
void summary_set_expect(struct summary_set *set, uint32_t module);
uint64_t summary_set_n_missed(const struct summary_set *set);
uint32_t summary_set_follow(const struct summary_set *set,
                            uint32_t path); /* through re-exports; cycles end */

void summary_dump(const struct file_summary *s, const struct paths *paths,
                  const struct py_parser *words, struct strbuf *out);

#endif
