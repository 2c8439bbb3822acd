/*
 * struct types: what the objects of one file are (module, optimizer, loss, ...), which expressions
 * mean the same object, and which events happen to it in which order.
 *
 *     api_table_new(paths, parser, &facts, &api, e)        // once per session
 *     types_build(&names, api, &options, arena, &types);
 *     struct type_fact f = types_of(&types, node);         // {TYPE_OPTIMIZER, ...}
 *     struct types_event_list events = types_events(&types, scope); // backward, step, ... by step
 *     const struct flow *flow = types_flow(&types, scope); // for flow_path over those events
 *
 * What an API does is in the rows that the caller gives (lint/ compiles them from
 * share/rules/api/); nothing here knows any framework by name. A row is a function, class or
 * attribute by qualified name, or a method by name and receiver type.
 *
 * Confidence: high = resolved import or constructor; medium = conventional module name, or a type
 * with two independent use facts; low = instance name alone, damaged text, star import of an
 * unknown module. A contrary use ends a guess: rows with makes == TYPE_OTHER and a receiver type
 * list such uses (optimizer: step with a positional argument, ...).
 *
 * Everything is lazy per scope and cached: control flow and def-use of a scope are built at their
 * first use. All memory is in the given arena; borrows names and api.
 */
#ifndef PYTHON_TYPES_H
#define PYTHON_TYPES_H

#include "python/flow.h"

enum value_type {
#define TYPE(name, text) TYPE_##name,
#include "python/type.def"
#undef TYPE
    N_TYPES
};

enum role {
#define ROLE(name, text) ROLE_##name,
#include "python/role.def"
#undef ROLE
    N_ROLES
};

enum trait_at {
#define TRAIT(name, text) TRAIT_AT_##name,
#include "python/trait.def"
#undef TRAIT
    N_TRAITS
};

enum domain {
#define DOMAIN(name, text) DOMAIN_##name,
#include "python/domain.def"
#undef DOMAIN
    N_DOMAINS
};

#define TRAIT(name, text) static const uint64_t TRAIT_##name = UINT64_C(1) << TRAIT_AT_##name;
#include "python/trait.def"
#undef TRAIT

const char *type_name(enum value_type t);
const char *role_name(enum role r);
const char *trait_name(enum trait_at t);
const char *domain_name(enum domain d);
bool type_from_name(struct str s, enum value_type *out);
bool role_from_name(struct str s, enum role *out);
bool trait_from_name(struct str s, uint64_t *bit);
bool domain_from_name(struct str s, enum domain *out);

/* ---- knowledge about APIs: data from the caller ---- */

enum { API_NONE = UINT32_MAX, SUBJECT_RECEIVER = -1, SUBJECT_RESULT = -2, SUBJECT_NONE = -3 };

enum api_form {
    API_CALL,      /* function or class: called */
    API_ATTRIBUTE, /* attribute or constant that is read; with a receiver type: x.grad, x.data */
    API_METHOD,    /* called on a receiver of a type; name without dots */
};

/* Zero means: no such fact. Texts are borrowed by the table and must outlive it. */
struct api_row {
    const char *name; /* "torch.nn.Linear"; a method or attribute of a type: "detach" */
    enum api_form form;
    enum value_type
        receiver; /* API_METHOD, API_ATTRIBUTE with a bare name; TYPE_UNKNOWN: any receiver */
    enum value_type makes; /* of the result; TYPE_UNKNOWN: not known */
    enum role role;
    int subject;              /* the argument that role and identity are about, SUBJECT_... */
    const char *subject_name; /* the same argument by keyword, or NULL */
    uint64_t traits;
    enum domain gives, expects; /* gives: the terminal activation; expects: a criterion's input */
    const char *same_as;        /* canonical qualified name, or NULL */
    /* The role changes with one argument: train(False) is eval, step(closure). NULL: none. */
    int mode_argument;     /* its position; used when role_if_false != ROLE_NONE */
    const char *mode_name; /* its keyword */
    enum role role_if_false;
    uint32_t tag; /* the caller's own */
};

/* A conventional name of a module, or an instance name that suggests a type. pattern: "model",
 * "*loader", "optim*". */
struct api_name {
    const char *pattern;
    const char *module; /* conventional module: its qualified name; NULL for instance names */
    enum value_type type;
};

struct api_facts {
    const struct api_row *rows;
    size_t n_rows;
    const struct api_name *names;
    size_t n_names;
};

struct api_table;

/* ERR_DATA names the row when two rows differ about one name. Rows and names are borrowed. */
bool api_table_new(struct paths *paths, struct py_parser *words, const struct api_facts *facts,
                   struct api_table **out, struct err *e);
void api_table_free(struct api_table *t);

const struct api_row *api_row_at(const struct api_table *t, uint32_t api);
size_t api_count(const struct api_table *t);
uint32_t api_find(const struct api_table *t, uint32_t path); /* canonical row of a path; API_NONE */
uint32_t api_find_method(const struct api_table *t, enum value_type receiver,
                         uint32_t word); /* falls back to any */
uint32_t api_receivers(const struct api_table *t,
                       uint32_t word); /* bits: types that have a method of this name */
uint32_t api_find_attribute(const struct api_table *t, enum value_type receiver, uint32_t word);
const struct name_convention *api_conventions(const struct api_table *t,
                                              size_t *n); /* for names_options */
/* The type that a word suggests, kept by word. */
enum value_type api_type_of_word(const struct api_table *t, const struct py_parser *words,
                                 uint32_t word);
enum value_type api_type_of_name(const struct api_table *t, struct str instance_name);

/* ---- one file ---- */

struct types_options {
    bool is_fragment; /* for the caller's rules; instance names give low confidence in every file */
    /* What other files define, linked. Calls of their functions are then resolved, with effects as
     * deep events, and calls of their classes have types. NULL: such calls are unknown code. */
    const struct summary_set *project;
    /* Values that the parameters of one function have: it is judged as in calls that give them.
     * NULL: as in all its calls. */
    const struct assumption *assumed;
};

/* What a call gives for a parameter, as far as a condition may depend on it. */
enum constant_kind {
    CONSTANT_UNKNOWN,
    CONSTANT_NONE,
    CONSTANT_FALSE,
    CONSTANT_TRUE,
    CONSTANT_TEXT,
    CONSTANT_OBJECT /* a module, an optimizer or the like: not None */
};
struct constant {
    enum constant_kind kind;
    uint32_t text; /* of a TEXT: its hash */
};
bool constant_equal(struct constant a, struct constant b);

/* A parameter that conditions of its function test. */
struct flag {
    uint8_t parameter;
    struct constant absent; /* the value where a call gives none */
};

/* The values of a function's flags in some of its calls. */
enum { FLAGS_MAX = 4 };
struct assumption {
    uint32_t scope;
    unsigned n;
    struct flag flags[FLAGS_MAX];
    struct constant value[FLAGS_MAX]; /* UNKNOWN: any */
    uint32_t call;                    /* in this file, that gives them; 0: in another */
};

/* What is known of a module that a function made, whose class says nothing: nn.Sequential(...). */
enum { MEMBERS_UNKNOWN, MEMBERS_WITH_MODE, MEMBERS_WITHOUT_MODE };

struct made_module {
    enum domain gives; /* its last activation */
    uint8_t members;   /* MEMBERS_...: is there dropout or batch norm in it? */
};

#define MADE_NOTHING                                                                               \
    {                                                                                              \
        DOMAIN_ANY, MEMBERS_UNKNOWN                                                                \
    }

struct type_fact {
    enum value_type type;
    enum confidence confidence;
    uint32_t api;         /* the row that made it, or API_NONE */
    uint32_t class_scope; /* its class in this file, or SCOPE_NONE */
    uint32_t origin;      /* the node that made it (a call), or 0 */
    uint32_t class_path;  /* its class in another file of the project, or PATH_NONE */
    struct made_module made;
};

enum { OBJECT_NONE = UINT32_MAX, EVENT_NONE = UINT32_MAX };

enum object_origin {
    OBJECT_CALL,     /* made by a call; node says which */
    OBJECT_PARAM,    /* parameter of the scope */
    OBJECT_FIELD,    /* attribute path of self in a class: one object in all its methods */
    OBJECT_OUTER,    /* a name or path bound in an outer scope, or not at all */
    OBJECT_VARIABLE, /* a variable that may be one of several objects here */
    OBJECT_VALUE,    /* any other expression */
};

struct types_object {
    enum object_origin origin;
    uint32_t node;    /* call or expression; 0 for names */
    uint32_t binding; /* for names: that of the root; BINDING_NONE */
    uint32_t root;    /* word */
    uint32_t path[FLOW_DEPTH];
    uint32_t n_path;
    uint32_t scope; /* where it is made; for a field: the class */
    uint32_t owner; /* the object without the last attribute: self.a for self.a.b; OBJECT_NONE */
    struct type_fact fact; /* the best that its uses show */
};

struct types_event {
    uint32_t step, node;
    enum role role;
    uint32_t object; /* the subject; OBJECT_NONE: none */
    uint32_t api;    /* row, or API_NONE */
    enum confidence confidence;
    uint32_t
        other; /* a second object: the criterion of a COMPARE, the scaler of a STEP; OBJECT_NONE */
    bool is_deep; /* happens in a function called here (from its summary) */
    bool is_must; /* for a deep event: on every path there */
};

struct types_event_list {
    const struct types_event *at; /* by step */
    size_t n;
};

struct call_fact {
    uint32_t api;   /* API_NONE: not in the table */
    uint32_t path;  /* qualified name, even when not in the table; PATH_NONE */
    uint32_t scope; /* the function or class of this file that is called; SCOPE_NONE */
    enum role role;
    uint32_t subject; /* node; 0: none */
    enum confidence confidence;
    bool is_resolved; /* the code that runs is known: a row, a builtin, a function of this file */
    bool is_method;
    bool is_object_call; /* an object is called: its class's __call__ runs */
};

struct types_cache;
struct function_summary; /* python/summary.h */
struct types_queries;

struct types {
    const struct names *names;
    const struct api_table *api;
    struct types_options options;
    struct arena *arena;
    struct types_cache *cache;
    const struct types_queries *queries;
};

void types_build(const struct names *n, const struct api_table *api,
                 const struct types_options *options, struct arena *a, struct types *out);

struct type_fact types_of(const struct types *k, uint32_t node);

/* The type of the objects of a class of this file: that of the API class it derives from. */
struct type_fact types_of_class(const struct types *k, uint32_t class_scope);
struct call_fact types_call(const struct types *k, uint32_t call);
/* Is the value an object of a class of this file or project, whatever its bases are? */
bool types_is_of_own_class(const struct types *k, uint32_t node);
uint32_t types_attribute(const struct types *k,
                         uint32_t attribute); /* row of an attribute read, API_NONE */

/* Objects are numbered per file. Expressions known to mean the same object have the same number. */
uint32_t types_object(const struct types *k, uint32_t node);
const struct types_object *types_object_at(const struct types *k, uint32_t object);
void types_object_text(const struct types *k, uint32_t object, struct strbuf *out);

const struct cfg *types_cfg(const struct types *k, uint32_t scope);   /* NULL: too large */
const struct flow *types_flow(const struct types *k, uint32_t scope); /* NULL: too large */
struct types_event_list types_events(const struct types *k, uint32_t scope);

/* ---- relations ---- */

/* The modules that an optimizer updates. is_complete: these are all. */
struct holding {
    const uint32_t *modules; /* objects */
    size_t n;
    bool is_complete;
    bool is_partial; /* only some of their parameters, by a filter or an attribute */
};
struct holding types_holding(const struct types *k, uint32_t optimizer);
enum truth types_holds(const struct types *k, uint32_t optimizer, uint32_t module);
/* True also where a filter, or a function of the project that is given the module, chose which. */
enum truth types_holds_part(const struct types *k, uint32_t optimizer, uint32_t module);

/* ENTRY: the mode at the call of the function. */
enum module_mode { MODE_UNKNOWN, MODE_TRAIN, MODE_EVAL, MODE_DEFAULT, MODE_MIXED, MODE_ENTRY };
/* The last mode set before the step on every path to it. DEFAULT: made here, never set and not yet
 * trained (then TRAIN: modules are made in training mode). MIXED:
 * paths differ. Never ENTRY: the mode that a caller set is not used here. */
enum module_mode types_mode(const struct types *k, uint32_t scope, uint32_t object, uint32_t step);

/* Is the mode one of these (bits)? Where callers decide it, one call with such a mode, in this file
 * or another, is enough for TRUE. */
enum truth types_mode_is(const struct types *k, uint32_t scope, uint32_t object, uint32_t step,
                         uint32_t modes);

/* Do gradients of a value reach what the optimizer holds? FALSE: all that the value is made of and
 * all that the optimizer holds is known, and they share nothing. */
enum truth types_gradient_reaches(const struct types *k, uint32_t value, uint32_t optimizer);

/* Is the function called in a loop, in this file or another, while no known caller clears
 * gradients? TRUE or UNKNOWN. */
enum truth types_is_looped_by_callers(const struct types *k, uint32_t scope);

/* Does a call of the function, outside regions without gradients, give it the module in training
 * mode, so that it is trained there too? TRUE or UNKNOWN. */
enum truth types_is_given_trained(const struct types *k, uint32_t scope, uint32_t object);

/* Does it contain dropout, batch norm or the like, so that its mode matters? */
enum truth types_has_mode(const struct types *k, uint32_t object);

/* May the place (a loop variable, opts[0]) be the object, taken from a container that holds it?
 * FALSE or UNKNOWN. */
enum truth types_may_be_taken_from(const struct types *k, uint32_t place, uint32_t object);

/* Was the object given to the constructor of `whole`, which keeps it in a field? */
bool types_is_kept_by(const struct types *k, uint32_t object, uint32_t whole);

/* Is the object an attribute of a module, self.encoder in a class of modules? FALSE: it is no
 * attribute, or its owner is of a class that is none, such as a trainer. */
enum truth types_is_sub_module(const struct types *k, uint32_t object);

/* Is the object a field of self that only derived classes set, in this file or another? */
bool types_is_filled_below(const struct types *k, uint32_t object);

enum truth types_is_frozen(const struct types *k, uint32_t object);

enum loader_role { LOADER_UNKNOWN, LOADER_TRAIN, LOADER_EVAL };
enum loader_role types_loader_role(const struct types *k, uint32_t node);

/* Has the data set numbered items, so that a loader may shuffle it? FALSE: it is iterated. */
enum truth types_is_map_style(const struct types *k, uint32_t node);

/* Has the function or class a decorator that may replace it: neither an API, nor one of the project
 * that leaves it what it is? */
bool types_has_unknown_decorator(const struct types *k, uint32_t definition);

/* Is the node evaluated without gradients, by a with region or a decorator of the function? */
enum truth types_in_no_grad(const struct types *k, uint32_t node);
/* Has an enclosing with item or decorator a row with the trait? UNKNOWN: one of them is not
 * resolved. */
enum truth types_in_region(const struct types *k, uint32_t node, uint64_t trait);

/* Has the value a graph: is it the output of a module or criterion, or computed from one or from a
 * parameter, and not cut? */
enum truth types_has_graph(const struct types *k, uint32_t node);

/* Does a call give the numbers of its subject: the same object, a copy, another shape? fill_() and
 * copy_() give the same object, with other numbers. */
bool types_keeps_numbers(const struct api_row *row);

/* The terminal activation of a value, also found through names, functions of this file and modules
 * (their forward). *where: the node that applies it. */
enum domain types_domain(const struct types *k, uint32_t node, uint32_t *where);

/* The function of this file or of the project that a call runs (for a module, its forward); NULL:
 * not known. */
const struct function_summary *types_function_called(const struct types *k, uint32_t call);

/* The argument, of the call of a function of this file, for a parameter by its position (without
 * that of a receiver) or its word; also one that functools.partial gave before. 0: none. */
uint32_t types_argument(const struct types *k, uint32_t call, unsigned at, uint32_t word);

/* The function of this file that a call runs without naming it: one that was returned by a
 * function, given as an argument, kept under a name; SCOPE_NONE: none is known. */
uint32_t types_value_called(const struct types *k, uint32_t call);

/* The parameter that an argument of a call becomes, by its word; WORD_NONE: not known. */
uint32_t types_parameter_of(const struct types *k, uint32_t call, uint32_t argument);

/* Does the called function of the project, or a method of the class of the object made, step an
 * optimizer, and pass none to a framework that prepares it? */
bool types_call_trains(const struct types *k, uint32_t call);

/* Does the called function average or copy two modules that are both this object here? Two fields
 * of its receiver do not count. */
enum truth types_blends_one(const struct types *k, uint32_t call, uint32_t object);

/* The first of the wanted domains (bits) that a call in another file gives for a parameter. */
enum domain types_domain_given(const struct types *k, uint32_t scope, uint32_t word,
                               uint64_t wanted);

/* The different ways, at most `max`, in which calls decide conditions of the function. */
unsigned types_assumptions(const struct types *k, uint32_t scope, struct assumption *out,
                           unsigned max);

/* Is the node never reached under the values assumed? */
bool types_is_dead(const struct types *k, uint32_t node);

/* May unknown code between the steps access the object, its owner, or a container of it? */
enum truth types_escapes(const struct types *k, uint32_t scope, uint32_t object,
                         const struct step_set *from, const struct step_set *to);

/* Prints "node text: type confidence" for each object and event: for people and tests. */
void types_dump(const struct types *k, struct strbuf *out);

#endif
