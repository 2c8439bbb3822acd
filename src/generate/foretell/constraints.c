/*
 * Decides what the types of an ONNX schema predict. Must not know shapes, nor versions of operators
 * other than the recorded one. Invariant: only a change of an element type is said to work.
 */
#include "generate/foretell/constraints.h"

/* The n-th line that begins with `word`, without it. A last variadic input takes all later ones. */
static bool nth_line(const struct api_record *r, const char *word, size_t n, struct str *out)
{
    bool found = false;
    for (size_t i = 0; i < r->n_schemas; i++) {
        if (!str_starts(r->schemas[i], str_of(word)))
            continue;
        *out = str_sub(r->schemas[i], strlen(word), r->schemas[i].n);
        found = true;
        if (n-- == 0)
            return true;
    }
    return found && str_ends(*out, STR(" Variadic"));
}

/* "X: T Single" -> "T" */
static struct str type_of(struct str line)
{
    struct str rest = str_sub(line, str_find(line, STR(": ")) + 2, line.n);
    return str_sub(rest, 0, str_find_byte(rest, ' '));
}

static struct str input_type(const struct situation *s, size_t at)
{
    struct str line;
    return nth_line(s->record, "input ", at, &line) ? type_of(line) : STR("");
}

/* Does the type, a variable or a name such as tensor(float), allow elements of this dtype? */
static bool allows(const struct api_record *r, struct str type, struct str dtype)
{
    char name[40];
    struct str line, element = str_is(dtype, "float32")   ? STR("float")
                               : str_is(dtype, "float64") ? STR("double")
                                                          : dtype;
    snprintf(name, sizeof name, "tensor(" STR_FMT ")", STR_ARG(element));
    if (str_is(type, name))
        return true;
    for (size_t i = 0; nth_line(r, "type ", i, &line); i++)
        if (str_starts(line, type) && str_starts(str_sub(line, type.n, line.n), STR(": ")))
            return str_find(line, str_of(name)) < line.n;
    return false;
}

static void say_raises(struct prediction *out)
{
    *out = (struct prediction){.is_given = true, .is = OUTCOME_KIND_RAISED};
}

static void change_of_type(const struct situation *s, struct str type, struct prediction *out)
{
    size_t at = s->change->at;
    struct str line, old = argument_dtype(&s->seed->arguments[at]);
    struct str new = argument_dtype(&s->changed->arguments[at]);
    if (!allows(s->record, type, old))
        return;
    for (size_t i = 0; i < s->seed->n_arguments && !s->seed->arguments[i].name.n; i++)
        if (i != at && str_eq(input_type(s, i), type) && argument_dtype(&s->seed->arguments[i]).n) {
            say_raises(out);
            return;
        }
    if (!allows(s->record, type, new)) {
        say_raises(out);
        return;
    }
    *out = (struct prediction){
        .is_given = true, .is = OUTCOME_KIND_OK, .n_leaves = s->seed->before.n_leaves};
    memcpy(out->leaves, s->seed->before.leaves, sizeof out->leaves);
    for (size_t i = 0; i < out->n_leaves; i++)
        if (nth_line(s->record, "output ", i, &line) && str_eq(type_of(line), type))
            out->leaves[i].dtype = new;
}

/* "INT", "FLOATS": the type of an attribute; "": there is none of this name. */
static struct str attribute_type(const struct api_record *r, struct str name)
{
    struct str line;
    for (size_t i = 0; nth_line(r, "attribute ", i, &line); i++)
        if (str_starts(line, name) && str_starts(str_sub(line, name.n, line.n), STR(": "))) {
            struct str type = type_of(line);
            return str_sub(type, 0, str_find_byte(type, '='));
        }
    return STR("");
}

/* An input is a tensor of the listed types, which inputs of one type variable share; an attribute
 * has one type. Source: the standard's IR, "Operators". */
void predict__constraints(const struct situation *s, struct prediction *out)
{
    const struct argument *x = &s->seed->arguments[s->change->at];
    enum change_kind change = s->change->kind;
    if (!s->record || !str_is(s->record->kind, "operator"))
        return;
    if (x->name.n) {
        struct str type = attribute_type(s->record, x->name);
        if ((str_is(type, "INT") && (change == CHANGE_FRACTION || change == CHANGE_TEXT)) ||
            (str_is(type, "FLOAT") && change == CHANGE_TEXT_FLOAT))
            say_raises(out);
        return;
    }
    struct str type = input_type(s, s->change->at);
    if (!type.n || x->kind != ARGUMENT_TENSOR)
        return;
    if (change == CHANGE_NUMBER || change == CHANGE_TEXT_TENSOR)
        say_raises(out);
    else if (change == CHANGE_DTYPE)
        change_of_type(s, type, out);
}
