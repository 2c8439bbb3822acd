/*
 * Writes a call as a program with one function per framework. Must not know which values are
 * tested. Invariant: the functions read the same NumPy arrays and do not change them.
 */
#include "generate/transfer/call_p.h"

#include <math.h>
#include <string.h>

#include "align/tensors.h"
#include "base/number.h"

struct writing {
    const struct call_framework *framework;
    struct arena *a;
    struct tensors_made tensors; /* x0, x1, ... by row */
    struct strbuf *out;
    bool failed;
};

/* Arrays ----------------------------------------------------------------------------------------*/

static void put_number(double x, struct strbuf *out)
{
    if (isnan(x))
        strbuf_adds(out, "np.nan");
    else if (isinf(x))
        strbuf_adds(out, x < 0 ? "-np.inf" : "np.inf");
    else /* -0 keeps its sign as a float only */
        strbuf_printf(out, x == 0 ? "%.1f" : "%.17g", x);
}

static int64_t read_int(const char *at, size_t size)
{
    int64_t v = 0;
    memcpy(&v, at, size);
    unsigned shift = (unsigned)(64 - 8 * size);
    return shift ? (int64_t)((uint64_t)v << shift) >> shift : v;
}

static double read_float(const char *at, char letter)
{
    float single;
    double real;
    uint16_t half;
    if (letter == 'h') {
        memcpy(&half, at, sizeof half);
        return number_decode(&number_float16, half);
    }
    if (letter == 'f' || letter == 'c') {
        memcpy(&single, at, sizeof single);
        return (double)single;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

static size_t size_of(char letter)
{
    return strchr("fi", letter) ? 4 : strchr("dl", letter) ? 8 : strchr("hs", letter) ? 2 : 1;
}

static void put_element(const char *at, size_t i, char letter, struct strbuf *out)
{
    if (letter == 'c' || letter == 'z') {
        size_t size = letter == 'c' ? 4 : 8;
        strbuf_adds(out, "complex(");
        put_number(read_float(at + 2 * i * size, letter), out);
        strbuf_adds(out, ", ");
        put_number(read_float(at + (2 * i + 1) * size, letter), out);
        strbuf_adds(out, ")");
    } else if (strchr("fdh", letter)) {
        put_number(read_float(at + i * size_of(letter), letter), out);
    } else if (letter == 'u') {
        strbuf_printf(out, "%u", (unsigned)(unsigned char)at[i]);
    } else {
        strbuf_printf(out, "%lld", (long long)read_int(at + i * size_of(letter), size_of(letter)));
    }
}

static void put_array(struct writing *w, size_t row)
{
    const struct tensor_made *t = &w->tensors.list.at[row];
    size_t n = 1;
    strbuf_printf(w->out, "x%zu = np.array([", row);
    for (size_t i = 0; i < t->spec.rank; i++)
        n *= (size_t)t->spec.dims[i];
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(w->out, i ? ", " : "");
        put_element(w->tensors.bytes.at + t->at, i, t->spec.letter, w->out);
    }
    strbuf_printf(w->out, "], \"%s\").reshape((", tensor_letter_dtype(t->spec.letter));
    for (size_t i = 0; i < t->spec.rank; i++)
        strbuf_printf(w->out, "%lld, ", (long long)t->spec.dims[i]);
    strbuf_adds(w->out, "))\n");
}

/* Calls -----------------------------------------------------------------------------------------*/

static void put_value(struct writing *w, const struct arg *v);

static void put_items(struct writing *w, const struct arg *v)
{
    strbuf_adds(w->out, v->kind == ARG_LIST ? "[" : "(");
    for (size_t i = 0; i < v->n; i++) {
        put_value(w, &v->items[i]);
        strbuf_adds(w->out, i + 1 < v->n || v->kind == ARG_TUPLE ? ", " : "");
    }
    strbuf_adds(w->out, v->kind == ARG_LIST ? "]" : ")");
}

/* The form with the text in place of its "%s". */
static void put_form(struct writing *w, struct str form, struct str text)
{
    size_t mark = str_find(form, STR("%s"));
    strbuf_addstr(w->out, str_sub(form, 0, mark));
    strbuf_addstr(w->out, text);
    strbuf_addstr(w->out, str_sub(form, mark + 2, form.n));
}

static void put_tensor(struct writing *w, const struct arg *v)
{
    struct strbuf array = {0};
    strbuf_printf(&array, "x%u", tensors_row(&w->tensors, w->a, v));
    if (v->n_perm) {
        strbuf_adds(&array, ".transpose((");
        for (size_t i = 0; i < v->n_perm; i++)
            strbuf_printf(&array, "%u, ", v->perm[i]);
        strbuf_adds(&array, "))");
    }
    if (v->cast.n)
        strbuf_printf(&array, ".astype(\"" STR_FMT "\")", STR_ARG(v->cast));
    put_form(w, w->framework->tensor, strbuf_str(&array));
    strbuf_done(&array);
}

static void put_value(struct writing *w, const struct arg *v)
{
    switch (v->kind) {
    case ARG_TENSOR:
        put_tensor(w, v);
        break;
    case ARG_DTYPE:
        put_form(w, w->framework->dtype, v->text);
        break;
    case ARG_LIST:
    case ARG_TUPLE:
        put_items(w, v);
        break;
    case ARG_FLOAT:
        if (isfinite(v->real))
            arg_print(v, w->out);
        else
            put_number(v->real, w->out);
        break;
    default:
        arg_print(v, w->out);
    }
}

static void put_call(struct writing *w, const struct call_form *f)
{
    const struct json *opens = w->framework->opens;
    struct str name = w->framework->name;
    strbuf_adds(w->out, "\n\ndef " CALL_ENTRY "_");
    for (size_t i = 0; i < name.n; i++)
        strbuf_addc(w->out, name.at[i] == '-' ? '_' : name.at[i]);
    strbuf_adds(w->out, "():\n");
    for (size_t i = 0; opens && i < opens->n; i++)
        strbuf_printf(w->out, "%s" STR_FMT "\n", opens->items[i].string.n ? "    " : "",
                      STR_ARG(opens->items[i].string));
    strbuf_printf(w->out, "\n    return " STR_FMT "(", STR_ARG(f->symbol));
    for (size_t i = 0; i < f->call.args.n; i++) {
        const struct named_arg *x = &f->call.args.at[i];
        strbuf_adds(w->out, i ? ", " : "");
        if (x->name.n)
            strbuf_printf(w->out, STR_FMT "=", STR_ARG(x->name));
        put_value(w, &x->value);
    }
    strbuf_adds(w->out, ")\n");
}

bool call__write(const struct call_form *forms, size_t n, bool same_dtypes, struct arena *a,
                 struct strbuf *out)
{
    struct strbuf calls = {0};
    struct writing w = {.a = a, .out = &calls};
    for (size_t i = 0; i < n && !w.failed; i++) {
        w.framework = forms[i].framework;
        w.failed = forms[i].call.is_class || forms[i].call.is_step;
        if (!w.failed)
            put_call(&w, &forms[i]);
    }
    w.out = out;
    strbuf_adds(out, "import numpy as np\n\n");
    for (size_t i = 0; i < w.tensors.list.n; i++)
        put_array(&w, i);
    strbuf_adds(out, "\nSYMBOLS = {");
    for (size_t i = 0; i < n; i++)
        strbuf_printf(out, "%s\"" STR_FMT "\": \"" STR_FMT "\"", i ? ", " : "",
                      STR_ARG(forms[i].framework->name), STR_ARG(forms[i].symbol));
    strbuf_adds(out, "}\n");
    strbuf_adds(out, same_dtypes ? "SAME_DTYPES = True\n" : "");
    strbuf_addstr(out, strbuf_str(&calls));
    strbuf_done(&calls);
    tensors_done(&w.tensors);
    return !w.failed;
}
