/* Shared by the files that make up struct types. */
#ifndef PYTHON_TYPES_P_H
#define PYTHON_TYPES_P_H

#include "base/vec.h"
#include "python/node_table_p.h"
#include "python/summary.h"
#include "python/types.h"

/* SCOPE_GUESSED: a summary made of guesses; the outermost function of the same cycle of calls will
 * make it again. */
enum scope_state { SCOPE_NOT_ASKED, SCOPE_BEING_MADE, SCOPE_GUESSED, SCOPE_READY, SCOPE_TOO_LARGE };

struct scope_facts {
    struct cfg cfg;
    struct flow flow;
    struct types_event_list events;
    const struct function_summary *summary; /* before SCOPE_READY: the guess of the last round */
    uint32_t summary_depth; /* while it is made: how many are open; guessed: of its cycle */
    uint8_t flow_state, event_state, summary_state; /* enum scope_state */
};

/* One write to an attribute path of self in a class. */
struct field_store {
    uint32_t class_scope, word; /* self.word = */
    uint32_t value;             /* 0: not a plain assignment */
    uint32_t whole;             /* self.a, self.b = whole; 0 */
    uint8_t part;               /* ... of which it is this part */
    uint32_t node;              /* the attribute */
    uint32_t next;              /* of the same field; UINT32_MAX */
};

/* What the uses of one place (a name, or attributes of one) show about its type. */
struct evidence {
    uint8_t n[N_TYPES]; /* independent facts for each type */
    uint32_t contrary;  /* bits: types that a use rules out */
    bool has_backward;  /* what makes a tensor a loss */
};

/* A call of a function of this file by its name. */
struct call_site {
    uint32_t call, next; /* next: another call of the same function; UINT32_MAX */
};

/* A function of this file that a value is (types_function.c). */
struct function_value {
    uint32_t scope;    /* SCOPE_NONE: not known */
    uint32_t maker;    /* the call of the function around it that returned it; 0 */
    uint32_t partial;  /* the call of functools.partial that gives its first arguments; 0 */
    uint32_t receiver; /* the object whose method it is; 0 */
};

/* An object in a container: a list, a tuple, a dict. */
struct held_object {
    uint32_t object, holder;
};

struct types_cache {
    struct scope_facts **scopes; /* by scope, NULL: not computed */
    struct scope_facts *assumed; /* of the assumed scope under the values assumed */
    unsigned n_plain;            /* questions being answered without them */
    struct node_table facts, objects_of, calls;
    VEC(struct type_fact) fact_list;
    VEC(struct call_fact) call_list;
    VEC(struct types_object) objects;
    struct map object_ids; /* key of an object -> number */
    struct map fields;     /* (class, word) -> first field_store + 1 */
    VEC(struct field_store) field_stores;
    struct map evidence_of; /* key of a place -> evidence + 1 */
    VEC(struct evidence) evidence;
    VEC(struct call_site) sites;
    uint32_t *first_site;          /* by scope; NULL: not computed */
    struct node_table value_calls; /* call -> function value + 1; 0: none */
    VEC(struct function_value) values;
    bool has_value_sites;
    struct node_table field_objects; /* object -> the field store that keeps it */
    bool has_field_objects;
    VEC(struct held_object) held;
    bool has_held;
    bool has_fields, has_evidence;
    uint32_t *bases; /* by scope: for a class the first base in this file; NULL: not computed */
    uint32_t *bases_elsewhere; /* by scope: path of the only base, in another file; PATH_NONE */
    bool *is_base;
    struct node_table written_keys; /* words under which this file writes into a dict */
    bool has_written_keys;
    struct node_table outside_fields; /* words of attributes written on other objects than self */
    bool has_outside_fields;
    bool has_library, may_hold_tensors; /* from the file's imports: were they read; the answer */
    uint32_t n_summaries_open;          /* nested functions being summarised, bounded */
    uint32_t summary_asked_from;        /* the outermost of them whose guess was used since */
    VEC(uint32_t) guessed;              /* scopes */
    unsigned depth;                     /* of nested questions, bounded by TYPES_DEPTH */
    uint32_t budget;                    /* nested questions left to the one being answered */
    unsigned cut; /* enum cut_reason: why an answer is incomplete; what depends on it is not kept */
};

enum cut_reason { CUT_CYCLE = 1, CUT_LIMIT = 2 };

enum { TYPES_DEPTH = 48, TYPES_BUDGET = 4000 };

/* A part of a result: all of it, not one value of a tuple. */
enum { WHOLE = UINT32_MAX };
/* A value of the function's result, part WHOLE: the only one; NULL: not known. f may be NULL. */
const struct summary_return *types__return_at(const struct function_summary *f, unsigned part);

/* The functions that answer each query; callers use types_of, types_call, types_object,
 * types_events, summary_of. */
struct types_queries {
    struct type_fact (*type)(const struct types *k, uint32_t node);
    struct call_fact (*call)(const struct types *k, uint32_t call);
    uint32_t (*object)(const struct types *k, uint32_t node);
    struct types_event_list (*events)(const struct types *k, uint32_t scope);
    const struct function_summary *(*summary)(const struct types *k, uint32_t scope);
    struct type_fact (*choice)(const struct types *k, uint32_t dict, uint32_t call);
    bool (*plain_decorator)(const struct types *k, uint32_t expression);
    void (*prune)(const struct types *k, struct cfg *c);
};

struct type_fact types__query_type(const struct types *k, uint32_t node);
struct call_fact types__query_call(const struct types *k, uint32_t call);
uint32_t types__query_object(const struct types *k, uint32_t node);
struct types_event_list types__query_events(const struct types *k, uint32_t scope);
const struct function_summary *summary__query(const struct types *k, uint32_t scope);
struct type_fact types__query_choice(const struct types *k, uint32_t dict, uint32_t call);

/* Enters a nested query. False: too deep or too many, the answer is unknown. True: the caller calls
 * types__leave at the end. */
bool types__enter(const struct types *k);
void types__leave(const struct types *k);

/* The facts of a scope, under the values assumed; plain: whatever they are. */
struct scope_facts *types__scope(const struct types *k, uint32_t scope);
struct scope_facts *types__plain_scope(const struct types *k, uint32_t scope);
uint32_t types__flow_scope(const struct types *k,
                           uint32_t node); /* the scope whose flow evaluates the node */

/* The first write to self.word in the class, UINT32_MAX: none; *count: how many there are. */
uint32_t types__field(const struct types *k, uint32_t class_scope, uint32_t word, uint32_t *count);

/* The class that writes self.word: the class itself, or else the nearest of its bases in this file
 * that does; the class itself where none does. */
uint32_t types__keeper(const struct types *k, uint32_t class_scope, uint32_t word);

/* For an attribute of self: its class; else SCOPE_NONE. */
uint32_t types__self_class(const struct types *k, uint32_t attribute);

const struct evidence *types__evidence(const struct types *k, uint32_t node);
struct type_fact types__class_fact(const struct types *k, uint32_t class_scope, uint32_t origin);
struct type_fact types__known(enum value_type type, enum confidence confidence, uint32_t api,
                              uint32_t origin);
struct type_fact types__join(struct type_fact a, struct type_fact b);

/* The first call, by name, of a function of this file, as a number in sites; UINT32_MAX. */
uint32_t types__first_site(const struct types *k, uint32_t scope);

/* The same, with the calls that reach the function as a value. */
uint32_t types__first_call(const struct types *k, uint32_t scope);

/* The function of this file that a call runs without naming it; scope SCOPE_NONE: none. */
struct function_value types__value_called(const struct types *k, uint32_t call);
/* How many positional arguments functools.partial gave before those of the call. */
unsigned types__n_bound(const struct types *k, uint32_t call);
/* For a parameter of the function that returned the function called: the object given to it there;
 * OBJECT_NONE: not known. Any other object: itself. */
uint32_t types__object_of_maker(const struct types *k, uint32_t call, uint32_t object);

/* The number of an object; equal objects have one number. */
uint32_t types__add_object(const struct types *k, const struct types_object *o);
/* The object one attribute further; OBJECT_NONE: too deep. */
uint32_t types__child(const struct types *k, uint32_t owner, uint32_t word);

/* ---- decorators (types_decorator.c) ---- */

enum decorates types__decorates(const struct types *k, uint32_t scope);
/* Is the expression after @ a decorator of the project that leaves a function what it is? Asked as
 * k->queries->plain_decorator. */
bool types__query_plain_decorator(const struct types *k, uint32_t expression);

/* ---- fields of objects (types_member.c) ---- */

/* The parameter of __init__ that is all that a class of this file keeps in a field; -1: none. */
int8_t types__kept_parameter(const struct types *k, uint32_t class_scope, uint32_t word);
/* The object one attribute further: the constructor's argument that is kept there, else the place
 * itself. */
uint32_t types__member(const struct types *k, uint32_t owner, uint32_t word);
/* The argument of the constructor call that an object keeps under a word; 0: not known. */
uint32_t types__member_value(const struct types *k, uint32_t owner, uint32_t word);
/* ---- one of several classes (types_choice.c); TYPE_UNKNOWN: they do not agree ---- */

/* k->queries->choice: what a call makes whose function is one of several classes or functions; with
 * a dict, what a call of any of its values makes. */
/* The parameter of the function whose entry, whatever its key, the value calls: table[name](...);
 * -1: none. */
int8_t types__entry_called(const struct types *k, uint32_t scope, uint32_t value);
/* types__join, which keeps of two classes of modules whether their mode matters. */
struct type_fact types__join_modules(const struct types *k, struct type_fact a, struct type_fact b);

/* The type of an attribute of an object whose class is in another file. */
struct type_fact types__member_fact(const struct types *k, uint32_t attribute);
/* The __init__ that a call of a class runs; NULL: not known. */
const struct function_summary *types__constructor(const struct types *k, uint32_t call);

/* The two objects of the pair `at` that a called function averages or copies; false: no such
 * pair. */
bool types__blended(const struct types *k, uint32_t call, unsigned at, uint32_t objects[2]);

/* ---- classes below one of this file (types_below.c) ---- */

/* The next derived class: of this file, from a scope on (SCOPE_NONE: no more); of other files,
 * after the number *at, which is UINT32_MAX at first (NULL: no more). */
uint32_t types__next_below(const struct types *k, uint32_t class_scope, uint32_t scope);
const struct class_summary *types__next_below_elsewhere(const struct types *k, uint32_t class_scope,
                                                        uint32_t *at);
/* The type that derived classes give a field that their base leaves unset; TYPE_UNKNOWN: they do
 * not agree. */
struct type_fact types__fact_below(const struct types *k, uint32_t class_scope, uint32_t word);
/* Do the two stand in fields of one object, whose class makes the one hold the other? */
enum truth types__holds_beside(const struct types *k, uint32_t optimizer, uint32_t module);
/* Do the optimizers in one field hold the modules in the other, in derived classes? TRUE or
 * UNKNOWN. */
enum truth types__holds_below(const struct types *k, uint32_t optimizer, uint32_t module);
/* Iterates over the methods that override one, from all zero on; NULL: no more. */
struct override_walk {
    uint32_t scope, at; /* scope: in this file; at: in the project */
};
const struct function_summary *types__next_override(const struct types *k, uint32_t class_scope,
                                                    uint32_t word, struct override_walk *w);
/* The method that super().m(...) runs: of this file (SCOPE_NONE: none), or by its path. */
uint32_t types__super_method(const struct types *k, uint32_t function, uint32_t *path);
/* The type that all constructor calls in other files give for the parameter. */
struct type_fact types__fact_given(const struct types *k, uint32_t class_path, int8_t parameter);

/* ---- the base class of another file (types_above.c) ---- */

/* The only base, in another file, of the class or of the topmost of its bases in this file;
 * PATH_NONE. */
uint32_t types__base_elsewhere(const struct types *k, uint32_t class_scope);
/* A field of a base class elsewhere, and the class that keeps it. */
struct field_above {
    const struct class_summary *owner;
    const struct class_field *field; /* NULL: there is none */
};
struct field_above types__field_above(const struct types *k, uint32_t class_scope, uint32_t word);
/* The type of what it keeps there. */
struct type_fact types__fact_above(const struct types *k, uint32_t class_scope, uint32_t word);
/* Does the optimizer in a field of such a base hold the module? TRUE or UNKNOWN. */
enum truth types__holds_above(const struct types *k, uint32_t optimizer, uint32_t module);
/* The method that the class inherits from it; NULL: none. */
const struct function_summary *types__inherited(const struct types *k, uint32_t class_scope,
                                                uint32_t word);
/* Is there no method (SCOPE_NONE), or one that only derived classes fill: its body is pass, ... or
 * raise NotImplementedError? */
bool types__is_abstract(const struct types *k, uint32_t scope);

/* The object of a field of self. */
uint32_t types__object_of_field(const struct types *k, uint32_t class_scope, uint32_t word);

/* ---- constant keys of dicts (types_part.c) ---- */

/* Is the node assigned to, deleted, or a loop's target? */
bool types__is_target(const struct tree *t, uint32_t node);
/* The object that is one part of an unpacked value; OBJECT_NONE: not known. */
uint32_t types__object_of_part(const struct types *k, uint32_t whole, uint8_t part);

/* The word of a constant key that this file never writes; WORD_NONE: another key. */
uint32_t types__key(const struct types *k, uint32_t subscript);
/* Is it {...} or dict(...)? */
bool types__is_dict(const struct types *k, uint32_t node);
/* The dict display that an object is: {...} or dict(...); 0: none. */
uint32_t types__display(const struct types *k, uint32_t object);
/* Iterates over a display's values under constant keys that this file never writes; 0 at the
 * end. */
struct display_walk {
    uint32_t next; /* node */
    uint32_t key;  /* word of the last value */
    unsigned n;    /* for a sequence: how many values were given */
    bool is_sequence;
};
/* The object at a position of a tuple that the function is given; OBJECT_NONE: not known. */
uint32_t types__given_place(const struct types *k, uint32_t value, unsigned at);
bool types__walk_display(const struct types *k, uint32_t object, struct display_walk *w);
uint32_t types__next_in_display(const struct types *k, struct display_walk *w);
/* The object of d in d.values(); OBJECT_NONE: another expression. */
uint32_t types__dict_of_values(const struct types *k, uint32_t node);
/* The value under a word of a dict display; 0: not known. */
uint32_t types__value_in(const struct types *k, uint32_t object, uint32_t word);
/* The value under the key of a subscript of a dict display; 0: not known. */
uint32_t types__value_under(const struct types *k, uint32_t subscript);
/* The object under the key of a subscript, or the place itself; OBJECT_NONE: any element. */
uint32_t types__object_under(const struct types *k, uint32_t subscript);
/* What is under a word: the value in a dict display, else the object one attribute further. */
uint32_t types__part(const struct types *k, uint32_t owner, uint32_t word);

/* ---- records and results (types_record.c) ---- */

/* Is the class of this file a dataclass or a typing.NamedTuple without an __init__ of its own? */
bool types__is_record(const struct types *k, uint32_t class_scope);
/* The word of its field at a position; WORD_NONE: there are no more. */
uint32_t types__record_field(const struct types *k, uint32_t class_scope, unsigned at);
/* Does the call make a named tuple? */
bool types__is_named_tuple(const struct types *k, uint32_t call);
/* The field that a positional argument of the call becomes; WORD_NONE: the call makes no record. */
uint32_t types__field_word(const struct types *k, uint32_t call, unsigned at);
/* The argument, of a call that makes a record, under a word; 0: not known. */
uint32_t types__record_value(const struct types *k, uint32_t call, uint32_t word);
/* The word of a position in a tuple: "0" is the first; WORD_NONE beyond the tenth. */
uint32_t types__place_word(const struct types *k, unsigned at);
/* What the call of a known function returns under a word, or at a position; NULL: not known. */
const struct summary_return *types__returned(const struct types *k, uint32_t call, uint32_t word);
struct type_fact types__fact_of_returned(const struct types *k, uint32_t call,
                                         const struct summary_return *r);

/* The number of the field store that keeps the object in a field of self; UINT32_MAX: none. */
uint32_t types__field_of_object(const struct types *k, uint32_t object);

/* What containers of this file hold, as far as rules need it; borrowed, does not grow later. */
size_t types__held(const struct types *k, const struct held_object **out);
/* May the place be that container, another name of it, or an element taken from it? */
bool types__may_hold(const struct types *k, uint32_t place, const struct held_object *held);

/* ---- what other files of the project say: TYPE_UNKNOWN, NULL, PATH_NONE when nothing ---- */

/* The type of what a call of the project's function or class gives, or of one part of it. */
struct type_fact types__project_call(const struct types *k, uint32_t call, unsigned part);
struct type_fact types__project_value(const struct types *k, uint32_t path);
/* The path of the class of a value, of this file or of another. */
uint32_t types__class_path(const struct types *k, uint32_t node);
const struct function_summary *types__project_method(const struct types *k, uint32_t receiver,
                                                     uint32_t word);
/* May this part of the result of a module of another file be a tensor? */
bool types__project_gives_tensor(const struct types *k, uint32_t call, unsigned part);

/* The argument that says whether the call has the row's role or its role_if_false; 0: none is
 * visible. *unknown (may be NULL): there may be one. */
uint32_t types__mode_argument(const struct types *k, const struct api_row *row, uint32_t call,
                              bool *unknown);

/* The node of the row's subject in this call; 0: none. */
uint32_t types__subject(const struct types *k, const struct api_row *row, uint32_t call);

/* Facts about the modules that a class makes, and those that these make. has_unknown: some are not
 * known. */
struct member_facts {
    uint64_t traits;
    bool has_unknown;
};
enum truth types__fact_has_mode(const struct types *k, struct type_fact f);
/* The activation of what a call of this module gives; DOMAIN_ANY: not known. */
enum domain types__domain_of_module(const struct types *k, uint32_t node);
struct member_facts types__class_members(const struct types *k, uint32_t class_scope);

/* The words of at most `max` of a function's parameters, in order; returns how many. */
unsigned types__parameters(const struct types *k, uint32_t scope, uint32_t *words, unsigned max);
int types__parameter_at(const struct types *k, uint32_t scope, uint32_t word); /* -1 */

/* The type that the annotation of a parameter gives; TYPE_UNKNOWN: none. */
struct type_fact types__annotated(const struct types *k, uint32_t binding);

/* ---- what callers decide (types_callers.c) ---- */
struct type_fact types__fact_by_contexts(const struct types *k, uint32_t scope, uint32_t parameter,
                                         uint32_t key, bool *any);
struct type_fact types__fact_of_given(const struct types *k, const struct given_fact *g);
/* The type that all callers give for PARAM.word, the value under a constant key of a parameter. */
struct type_fact types__fact_of_given_part(const struct types *k, uint32_t object);
/* The type of a part of a call's result, or of a parameter. */
struct type_fact types__fact_of_place(const struct types *k, uint32_t object);
/* Has a value of this type no graph, whatever made it: read from data, counted, drawn? */
bool types__has_no_graph(enum value_type type);
/* What all calls give for a parameter, if this file has them all; 0: there are none, more than
 * `max`, or one whose argument is not seen. */
unsigned types__given_here(const struct types *k, uint32_t scope, uint32_t word, uint32_t *out,
                           unsigned max);
/* The object of the caller's flow that is this object of the called function; OBJECT_NONE: none. */
uint32_t types__object_in_caller(const struct types *k, uint32_t call, uint32_t scope,
                                 uint32_t object);
enum truth types__holds_by_callers(const struct types *k, uint32_t optimizer, uint32_t module);
/* Is backward called in this flow on the value that the name has here? Then it has a graph. */
bool types__has_backward(const struct types *k, uint32_t node);
enum loader_role types__role_by_callers(const struct types *k, uint32_t name);

/* types_mode, but ENTRY where the scope sets no mode before. */
enum module_mode types__mode_at(const struct types *k, uint32_t scope, uint32_t object,
                                uint32_t step);

/* ---- flags (types_flag.c) ---- */

/* What a node gives, and a parameter's default. */
struct constant types__constant(const struct types *k, uint32_t node);
struct constant types__default(const struct types *k, uint32_t scope, unsigned parameter);
/* What a call whose argument for the flag is `node` (0: none is seen) gives for it. */
struct constant types__constant_given(const struct types *k, uint32_t call, uint32_t node,
                                      const struct flag *flag);
/* Is a condition of the scope a test of one of its parameters? */
bool types__flag_test(const struct types *k, uint32_t scope, uint32_t node, struct flag_test *out);
enum truth types__test_of(const struct flag_test *test, struct constant c);
/* The innermost test of a parameter without which the node is not reached; false: none. */
bool types__guard_of(const struct types *k, uint32_t scope, uint32_t node, struct flag_test *out);
/* Is a condition true under the values assumed? */
enum truth types__decide(const struct types *k, uint32_t node);
/* The edges of the scope's flow that are not taken where a test is true; NULL: no flow. */
const bool *types__dead_if(const struct types *k, uint32_t scope, const struct flag_test *test,
                           struct arena *a);
/* Removes the edges of the assumed scope's flow that are not taken. */
void types__query_prune(const struct types *k, struct cfg *c);

/* The node of the subject that a call returns unchanged or wrapped; 0: the call makes something
 * new. */
uint32_t types__passes(const struct types *k, uint32_t call);

#endif
