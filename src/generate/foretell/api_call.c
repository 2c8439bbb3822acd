/*
 * Decides how calls are read and written. Must not know what they do. Invariant: what is written as
 * JSON reads back as the same call.
 */
#include "generate/foretell/api_call.h"

#include "base/vec.h"

enum argument_kind argument_kind_of(const struct json *v)
{
    switch (v->kind) {
    case JSON_KIND_NULL:
        return ARGUMENT_NONE;
    case JSON_KIND_BOOL:
        return ARGUMENT_BOOL;
    case JSON_KIND_INTEGER:
        return ARGUMENT_INT;
    case JSON_KIND_REAL:
        return ARGUMENT_FLOAT;
    case JSON_KIND_STRING:
        return ARGUMENT_WORD;
    case JSON_KIND_ARRAY:
        return ARGUMENT_LIST;
    case JSON_KIND_OBJECT:
        break;
    }
    return json_get(v, "tensor")    ? ARGUMENT_TENSOR
           : json_get(v, "tuple")   ? ARGUMENT_LIST
           : json_get(v, "dtype")   ? ARGUMENT_DTYPE
           : json_get(v, "complex") ? ARGUMENT_COMPLEX
                                    : ARGUMENT_FLOAT;
}

static bool add_argument(struct api_call *c, struct str name, const struct json *value)
{
    if (c->n_arguments == CALL_ARGUMENTS_MAX)
        return false;
    c->arguments[c->n_arguments++] =
        (struct argument){.name = name, .kind = argument_kind_of(value), .value = value};
    return true;
}

static bool read_leaf(const struct json *j, struct leaf *out)
{
    if (j->kind != JSON_KIND_ARRAY || j->n != 2 || j->items[0].kind != JSON_KIND_STRING ||
        j->items[1].kind != JSON_KIND_ARRAY || j->items[1].n > CALL_DIMS_MAX)
        return false;
    *out = (struct leaf){.dtype = j->items[0].string, .rank = (unsigned)j->items[1].n};
    for (unsigned i = 0; i < out->rank; i++)
        out->dims[i] = (size_t)j->items[1].items[i].integer;
    return true;
}

static void read_leaves(const struct json *list, struct call_outcome *out)
{
    for (size_t i = 0; list && i < list->n && out->n_leaves < CALL_LEAVES_MAX; i++)
        if (read_leaf(&list->items[i], &out->leaves[out->n_leaves]))
            out->n_leaves++;
}

bool call_outcome_read(const struct json *j, struct call_outcome *out, struct err *e)
{
    struct str is;
    *out = (struct call_outcome){0};
    if (!json_need_str(j, "is", &is, e))
        return false;
    out->is = str_is(is, "ok")         ? OUTCOME_KIND_OK
              : str_is(is, "raised")   ? OUTCOME_KIND_RAISED
              : str_is(is, "abstains") ? OUTCOME_KIND_ABSTAINS
              : str_is(is, "hangs")    ? OUTCOME_KIND_HANGS
              : str_is(is, "flaky")    ? OUTCOME_KIND_FLAKY
                                       : OUTCOME_KIND_DIED;
    out->type = json_get_str(j, "type", STR(""));
    out->message = json_get_str(j, "message", STR(""));
    out->kernels = json_get(j, "kernels");
    out->marks = json_get(j, "marks");
    read_leaves(json_get(j, "leaves"), out);
    return true;
}

bool api_call_read(const struct json *j, struct api_call *out, bool *fits, struct err *e)
{
    const struct json *args, *keys;
    *out = (struct api_call){0};
    *fits = true;
    if (!json_need_str(j, "symbol", &out->symbol, e) || !json_need_str(j, "op", &out->op, e) ||
        !json_need(j, "args", JSON_KIND_ARRAY, &args, e) ||
        !json_need(j, "keys", JSON_KIND_OBJECT, &keys, e))
        return false;
    int64_t n_made = json_get_i64(j, "make", -1);
    if (n_made > (int64_t)args->n)
        return err_set(e, ERR_DATA, "\"make\" is more than there are arguments");
    out->is_class = n_made >= 0;
    out->n_made = out->is_class ? (size_t)n_made : 0;
    out->is_step = json_get_bool(j, "step", false);
    out->types = json_get(j, "types");
    out->is_random = json_get_bool(j, "random", false);
    for (size_t i = 0; i < args->n; i++)
        *fits = *fits && add_argument(out, STR(""), &args->items[i]);
    for (size_t i = 0; i < keys->n; i++)
        *fits = *fits && add_argument(out, keys->keys[i], &keys->items[i]);
    read_leaves(json_get(j, "leaves"), &out->before);
    return true;
}

bool api_calls_read(struct str text, const char *name, struct arena *a, struct api_calls *out,
                    struct err *e)
{
    VEC(struct api_call) list = {0};
    struct str rest = str_trim(text), line;
    size_t number = 0;
    while (rest.n && str_split(&rest, '\n', &line)) {
        const struct json *j;
        struct api_call c;
        bool fits;
        number++;
        if (!json_parse(line, name, a, &j, e) || !api_call_read(j, &c, &fits, e))
            return err_wrap(e, "%s: line %zu", name, number);
        if (fits)
            vec_push(&list, a, c);
    }
    *out = (struct api_calls){list.at, list.n};
    return true;
}

bool argument_leaf(const struct argument *x, struct leaf *out)
{
    const struct json *t = json_get(x->value, "tensor"), *shape = json_get(t, "shape");
    if (!shape || shape->n > CALL_DIMS_MAX)
        return false;
    *out = (struct leaf){.dtype = json_get_str(t, "dtype", STR("")), .rank = (unsigned)shape->n};
    for (unsigned i = 0; i < out->rank; i++)
        out->dims[i] = (size_t)shape->items[i].integer;
    return true;
}

struct str call_outcome_text(const struct call_outcome *o, struct arena *a)
{
    static const char *const words[] = {"works", "raises", "dies", "hangs", "is flaky", "abstains"};
    struct strbuf b = {0};
    strbuf_adds(&b, words[o->is]);
    if (o->is != OUTCOME_KIND_OK)
        strbuf_printf(&b, " " STR_FMT ": " STR_FMT, STR_ARG(o->type), STR_ARG(o->message));
    for (size_t i = 0; i < o->n_leaves; i++) {
        strbuf_printf(&b, " " STR_FMT "(", STR_ARG(o->leaves[i].dtype));
        for (unsigned k = 0; k < o->leaves[i].rank; k++)
            strbuf_printf(&b, "%s%zu", k ? "," : "", o->leaves[i].dims[k]);
        strbuf_addc(&b, ')');
    }
    struct str text = strbuf_dup(&b, a);
    strbuf_done(&b);
    return text;
}

bool leaf_equal(const struct leaf *x, const struct leaf *y)
{
    return str_eq(x->dtype, y->dtype) && x->rank == y->rank &&
           memcmp(x->dims, y->dims, x->rank * sizeof x->dims[0]) == 0;
}

bool argument_number(const struct argument *x, double *out)
{
    if (x->kind == ARGUMENT_INT)
        *out = (double)x->value->integer;
    else if (x->kind == ARGUMENT_FLOAT && x->value->kind == JSON_KIND_REAL)
        *out = x->value->real;
    else
        return false;
    return true;
}

struct str argument_dtype(const struct argument *x)
{
    return json_get_str(json_get(x->value, "tensor"), "dtype", STR(""));
}

size_t api_call_tensors(const struct api_call *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_arguments; i++)
        n += c->arguments[i].kind == ARGUMENT_TENSOR;
    return n;
}

/* JSON ----------------------------------------------------------------------------------------*/

static void put_argument(const struct api_call *c, size_t i, size_t at, struct str replaced,
                         struct json_out *w)
{
    if (i == at)
        json_put_raw(w, replaced);
    else
        json_put_json(w, c->arguments[i].value);
}

void api_call_write(const struct api_call *c, size_t at, struct str replaced, struct json_out *w)
{
    char key[128];
    json_begin_object(w);
    json_pair_str(w, "symbol", c->symbol);
    json_pair_str(w, "op", c->op);
    if (c->is_class)
        json_pair_u64(w, "make", c->n_made);
    if (c->is_step)
        json_pair_bool(w, "step", true);
    json_key(w, "args");
    json_begin_array(w);
    for (size_t i = 0; i < c->n_arguments; i++)
        if (!c->arguments[i].name.n)
            put_argument(c, i, at, replaced, w);
    json_end_array(w);
    json_key(w, "keys");
    json_begin_object(w);
    for (size_t i = 0; i < c->n_arguments; i++) {
        if (!c->arguments[i].name.n)
            continue;
        snprintf(key, sizeof key, STR_FMT, STR_ARG(c->arguments[i].name));
        json_key(w, key);
        put_argument(c, i, at, replaced, w);
    }
    json_end_object(w);
    json_end_object(w);
}

/* Python --------------------------------------------------------------------------------------*/

static void print_number(const struct json *v, struct strbuf *out)
{
    if (v->kind == JSON_KIND_OBJECT)
        strbuf_printf(out, "float(\"" STR_FMT "\")", STR_ARG(json_get_str(v, "float", STR("nan"))));
    else if (v->kind == JSON_KIND_ARRAY && v->n == 2) {
        strbuf_adds(out, "complex(");
        print_number(&v->items[0], out);
        strbuf_adds(out, ", ");
        print_number(&v->items[1], out);
        strbuf_addc(out, ')');
    } else if (v->kind == JSON_KIND_BOOL)
        strbuf_adds(out, v->truth ? "True" : "False");
    else if (v->kind == JSON_KIND_INTEGER)
        strbuf_printf(out, "%lld", (long long)v->integer);
    else {
        struct json_out w = json_open(out, JSON_COMPACT);
        json_put_double(&w, v->real);
    }
}

/* How values are written. */
struct style {
    bool torch; /* tensors are torch's, else arrays of NumPy */
    bool typed; /* tensors as type and shape: float32[2, 3] */
};

static void print_shape(const struct json *shape, struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (size_t i = 0; shape && i < shape->n; i++)
        strbuf_printf(out, "%s%lld", i ? ", " : "", (long long)shape->items[i].integer);
    strbuf_addc(out, ']');
}

static void print_written(const struct json *t, bool torch, struct strbuf *out)
{
    const struct json *values = json_get(t, "values"), *shape = json_get(t, "shape");
    strbuf_adds(out, torch ? "torch.tensor([" : "np.array([");
    for (size_t i = 0; values && i < values->n; i++) {
        strbuf_adds(out, i ? ", " : "");
        print_number(&values->items[i], out);
    }
    strbuf_printf(out, torch ? "], dtype=torch." STR_FMT ")" : "], dtype=\"" STR_FMT "\")",
                  STR_ARG(json_get_str(t, "dtype", STR("float32"))));
    if (!shape || (shape->n == 1))
        return;
    strbuf_adds(out, ".reshape(");
    print_shape(shape, out);
    strbuf_addc(out, ')');
}

static void print_tensor(const struct json *t, struct style style, struct strbuf *out)
{
    if (!style.typed) {
        print_written(t, style.torch, out);
        return;
    }
    strbuf_addstr(out, json_get_str(t, "dtype", STR("float32")));
    print_shape(json_get(t, "shape"), out);
}

static void print_value(const struct json *v, struct style style, struct strbuf *out);

static void print_list(const struct json *list, const char *open, const char *close,
                       struct style style, struct strbuf *out)
{
    strbuf_adds(out, open);
    for (size_t i = 0; i < list->n; i++) {
        print_value(&list->items[i], style, out); /* lists are as deep as JSON may be: 200 */
        strbuf_adds(out, ", ");
    }
    strbuf_adds(out, close);
}

static void print_value(const struct json *v, struct style style, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_COMPACT);
    switch (argument_kind_of(v)) {
    case ARGUMENT_NONE:
        strbuf_adds(out, "None");
        break;
    case ARGUMENT_WORD:
        json_put_str(&w, v->string);
        break;
    case ARGUMENT_DTYPE:
        strbuf_printf(out, style.torch ? "torch." STR_FMT : "\"" STR_FMT "\"",
                      STR_ARG(json_get_str(v, "dtype", STR(""))));
        break;
    case ARGUMENT_TENSOR:
        print_tensor(json_get(v, "tensor"), style, out);
        break;
    case ARGUMENT_LIST:
        if (v->kind == JSON_KIND_ARRAY)
            print_list(v, "[", "]", style, out);
        else
            print_list(json_get(v, "tuple"), "(", ")", style, out);
        break;
    case ARGUMENT_COMPLEX:
        print_number(json_get(v, "complex"), out);
        break;
    case ARGUMENT_BOOL:
    case ARGUMENT_INT:
    case ARGUMENT_FLOAT:
        print_number(v, out);
        break;
    }
}

void argument_print(const struct json *value, bool torch, struct strbuf *out)
{
    print_value(value, (struct style){.torch = torch}, out);
}

struct printing {
    const struct api_call *c;
    struct strbuf *out;
    enum call_tensors tensors;
    size_t n_printed, n_tensors;
};

static void print_one(struct printing *p, const struct argument *x)
{
    strbuf_adds(p->out, p->n_printed++ ? ", " : "");
    if (x->name.n)
        strbuf_printf(p->out, STR_FMT "=", STR_ARG(x->name));
    const struct style style = {.torch = str_starts(p->c->symbol, STR("torch.")),
                                .typed = p->tensors == CALL_TENSORS_TYPED};
    if (p->tensors == CALL_TENSORS_NAMED && x->kind == ARGUMENT_TENSOR)
        strbuf_printf(p->out, "x%zu", p->n_tensors++);
    else
        print_value(x->value, style, p->out);
}

void api_call_print(const struct api_call *c, enum call_tensors tensors, struct strbuf *out)
{
    struct printing p = {.c = c, .out = out, .tensors = tensors};
    strbuf_printf(out, c->is_step ? "step_of(" STR_FMT ")(" : STR_FMT "(", STR_ARG(c->symbol));
    for (size_t i = 0; i < c->n_arguments; i++)
        if (!c->is_class || i < c->n_made || c->arguments[i].name.n)
            print_one(&p, &c->arguments[i]);
    strbuf_addc(out, ')');
    if (!c->is_class)
        return;
    p.n_printed = 0;
    strbuf_addc(out, '(');
    for (size_t i = c->n_made; i < c->n_arguments; i++)
        if (!c->arguments[i].name.n)
            print_one(&p, &c->arguments[i]);
    strbuf_addc(out, ')');
}
