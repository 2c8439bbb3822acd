/*
 * Reads and prints calls as text. Must not know frameworks. Invariant: printing what was parsed and
 * parsing it again gives the same call.
 */
#include "align/expression.h"

#include <ctype.h>

#include "align/reader_p.h"
#include "base/vec.h"

static const struct {
    char letter;
    const char *dtype;
} letters[] = {{'f', "float32"}, {'d', "float64"},   {'h', "float16"},   {'l', "int64"},
               {'i', "int32"},   {'s', "int16"},     {'y', "int8"},      {'u', "uint8"},
               {'b', "bool"},    {'c', "complex64"}, {'z', "complex128"}};

const char *tensor_letter_dtype(char letter)
{
    for (size_t i = 0; i < COUNT_OF(letters); i++)
        if (letters[i].letter == letter)
            return letters[i].dtype;
    return NULL;
}

bool tensor_spec_parse(struct str text, struct tensor_spec *out)
{
    size_t close = str_find_byte(text, ']');
    struct str dims = str_sub(text, 2, close), part;
    *out = (struct tensor_spec){.letter = text.n ? text.at[0] : 0};
    if (text.n < 3 || text.at[1] != '[' || close == text.n || !tensor_letter_dtype(out->letter))
        return false;
    if (dims.n == 0)
        dims.at = NULL;
    while (str_split(&dims, ',', &part)) {
        if (out->rank == ARG_RANK_MAX || !str_to_i64(str_trim(part), &out->dims[out->rank]) ||
            out->dims[out->rank] < 0 || out->dims[out->rank] > 1 << 20)
            return false;
        out->rank++;
    }
    if (close + 1 == text.n)
        return true;
    out->draw = str_sub(text, close + 2, text.n);
    return text.at[close + 1] == ':' && out->draw.n;
}

static bool read_value(struct reader *r, struct arg *out);

static bool read_list(struct reader *r, char close, struct arg *out)
{
    VEC(struct arg) items = {0};
    r->at++;
    if (++r->depth > ARG_DEPTH_MAX)
        return reader__fail(r, "a list of less depth");
    while (reader__peek(r) != close) {
        struct arg item = {0};
        if (!read_value(r, &item))
            return false;
        vec_push(&items, r->a, item);
        if (reader__peek(r) == ',')
            r->at++;
        else if (reader__peek(r) != close)
            return reader__fail(r, "',' or the end of the list");
    }
    r->at++;
    r->depth--;
    out->kind = close == ']' ? ARG_LIST : ARG_TUPLE;
    out->items = items.at;
    out->n = items.n;
    return true;
}

static bool read_number(struct reader *r, struct arg *out)
{
    size_t from = r->at;
    while (r->at < r->text.n &&
           (reader__is_name_byte(r->text.at[r->at]) || r->text.at[r->at] == '.' ||
            ((r->text.at[r->at] == '-' || r->text.at[r->at] == '+') &&
             (r->at == from || r->text.at[r->at - 1] == 'e'))))
        r->at++;
    struct str word = str_sub(r->text, from, r->at);
    if (str_to_i64(word, &out->integer)) {
        out->kind = ARG_INT;
        out->real = (double)out->integer;
        return true;
    }
    out->kind = ARG_FLOAT;
    return str_to_double(word, &out->real) || reader__fail(r, "a number");
}

/* "#1" after a tensor; without it, tensors of the same text are numbered in order. */
static bool read_ordinal(struct reader *r, struct arg *out)
{
    if (r->at == r->text.n || r->text.at[r->at] != '#')
        return true;
    size_t from = ++r->at;
    while (r->at < r->text.n && isdigit((unsigned char)r->text.at[r->at]))
        r->at++;
    int64_t n;
    if (!str_to_i64(str_sub(r->text, from, r->at), &n) || n < 1 || n > UINT32_MAX)
        return reader__fail(r, "the number of a tensor");
    out->ordinal = (uint32_t)n;
    return true;
}

static bool read_tensor(struct reader *r, size_t from, struct arg *out)
{
    struct tensor_spec spec;
    while (r->at < r->text.n && r->text.at[r->at] != ']')
        r->at++;
    r->at += r->at < r->text.n;
    if (r->at < r->text.n && r->text.at[r->at] == ':') {
        r->at++;
        reader__name(r);
    }
    out->kind = ARG_TENSOR;
    out->text = str_sub(r->text, from, r->at);
    return (tensor_spec_parse(out->text, &spec) || reader__fail(r, "a tensor, \"f[2,3]:pos\"")) &&
           read_ordinal(r, out);
}

static bool read_word(struct reader *r, struct arg *out)
{
    size_t from = r->at;
    struct str name = reader__name(r);
    if (str_is(name, "None"))
        out->kind = ARG_NONE;
    else if (str_is(name, "True") || str_is(name, "False"))
        *out = (struct arg){.kind = ARG_BOOL, .truth = str_is(name, "True")};
    else if (str_is(name, "inf") || str_is(name, "nan"))
        return r->at = from, read_number(r, out);
    else if (name.n == 1 && r->at < r->text.n && r->text.at[r->at] == '[')
        return read_tensor(r, from, out);
    else
        return r->at = from, reader__fail(r, "a value");
    return true;
}

static bool read_value(struct reader *r, struct arg *out)
{
    char c = reader__peek(r);
    *out = (struct arg){0};
    if (c == '[' || c == '(')
        return read_list(r, c == '[' ? ']' : ')', out);
    if (c == '\'') {
        size_t end = r->at + 1;
        while (end < r->text.n && r->text.at[end] != '\'')
            end++;
        out->kind = ARG_STR;
        out->text = str_sub(r->text, r->at + 1, end);
        r->at = end + 1;
        return end < r->text.n || reader__fail(r, "the end of the text");
    }
    if (c == '@') {
        r->at++;
        out->kind = ARG_DTYPE;
        out->text = reader__name(r);
        return out->text.n || reader__fail(r, "the name of a dtype");
    }
    if (isdigit((unsigned char)c) || c == '-' || c == '.')
        return read_number(r, out);
    return read_word(r, out);
}

/* "name=" before a value; "": none. */
static struct str read_key(struct reader *r)
{
    reader__peek(r);
    size_t from = r->at;
    struct str name = reader__name(r);
    if (name.n && reader__peek(r) == '=') {
        r->at++;
        return name;
    }
    r->at = from;
    return (struct str){0};
}

static bool read_part(struct reader *r, struct call_part *out)
{
    VEC(struct named_arg) list = {0};
    while (reader__peek(r) && reader__peek(r) != ';') {
        struct named_arg one = {.name = read_key(r)};
        if (!read_value(r, &one.value))
            return false;
        if (!one.name.n && list.n && vec_last(&list).name.n)
            return reader__fail(r, "a named argument after named ones");
        if (list.n == CALL_ARGS_MAX)
            return reader__fail(r, "a call with fewer arguments");
        vec_push(&list, r->a, one);
        if (reader__peek(r) == ',')
            r->at++;
        else if (reader__peek(r) && reader__peek(r) != ';')
            return reader__fail(r, "',' or ';'");
    }
    *out = (struct call_part){list.at, list.n};
    return true;
}

struct numbering {
    struct {
        struct str text;
        uint32_t n;
    } seen[CALL_ARGS_MAX * 2];
    size_t n;
};

static void number_tensor(struct numbering *c, struct arg *v)
{
    for (size_t i = 0; i < c->n; i++) {
        if (str_eq(c->seen[i].text, v->text)) {
            v->ordinal = v->ordinal ? v->ordinal : c->seen[i].n;
            c->seen[i].n = v->ordinal + 1;
            return;
        }
    }
    if (c->n < COUNT_OF(c->seen)) {
        c->seen[c->n].text = v->text;
        c->seen[c->n++].n = v->ordinal + 1;
    }
}

static void number_tensors(struct numbering *c, const struct arg *items, size_t n, unsigned depth);

static void number_value(struct numbering *c, struct arg *v, unsigned depth)
{
    if (v->kind == ARG_TENSOR)
        number_tensor(c, v);
    else if (depth < ARG_DEPTH_MAX)
        number_tensors(c, v->items, v->n, depth + 1);
}

static void number_tensors(struct numbering *c, const struct arg *items, size_t n, unsigned depth)
{
    struct arg *own = (struct arg *)(uintptr_t)items; /* under construction: not shared yet */
    for (size_t i = 0; i < n; i++)
        number_value(c, &own[i], depth);
}

static void number_part(struct numbering *c, const struct call_part *p)
{
    struct named_arg *own = (struct named_arg *)(uintptr_t)p->at;
    for (size_t i = 0; i < p->n; i++)
        number_value(c, &own[i].value, 0);
}

bool call_parse(struct str text, struct arena *a, struct call *out, struct err *e)
{
    struct reader r = {
        .what = "call", .blanks = " \t\n\v\f\r", .text = str_of(str_dup(a, text)), .a = a, .e = e};
    struct numbering count = {.n = 0};
    *out = (struct call){0};
    if (str_starts(r.text, STR("step "))) {
        out->is_step = true;
        r.at = 5;
    }
    if (!read_part(&r, &out->args))
        return false;
    if (reader__peek(&r) == ';') {
        r.at++;
        out->is_class = !out->is_step;
        out->make = out->args;
        if (!read_part(&r, &out->args))
            return false;
    }
    number_part(&count, &out->make);
    number_part(&count, &out->args);
    return reader__peek(&r) == '\0' || reader__fail(&r, "the end of the call");
}

bool arg_parse(struct str text, struct arena *a, struct arg *out, struct err *e)
{
    struct reader r = {
        .what = "call", .blanks = " \t\n\v\f\r", .text = str_of(str_dup(a, text)), .a = a, .e = e};
    return read_value(&r, out) &&
           (reader__peek(&r) == '\0' || reader__fail(&r, "the end of the value"));
}

/* Printing --------------------------------------------------------------------------------------*/

static void print_items(const struct arg *v, struct strbuf *out)
{
    for (size_t i = 0; i < v->n; i++) {
        strbuf_adds(out, i ? ", " : "");
        arg_print(&v->items[i], out);
    }
}

static void print_tensor(const struct arg *v, struct strbuf *out)
{
    strbuf_addstr(out, v->text);
    if (v->ordinal)
        strbuf_printf(out, "#%u", v->ordinal);
    for (unsigned i = 0; i < v->n_perm; i++)
        strbuf_printf(out, "%s%u", i ? "" : "^", v->perm[i]);
    if (v->cast.n)
        strbuf_printf(out, "." STR_FMT, STR_ARG(v->cast));
}

static void print_real(double real, struct strbuf *out)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_put_double(&w, real);
    struct str s = strbuf_str(&text);
    bool quoted = s.n && s.at[0] == '"';
    strbuf_addstr(out, quoted ? str_sub(s, 1, s.n - 1) : s);
    bool is_whole = str_find_byte(s, '.') == s.n && str_find_byte(s, 'e') == s.n && !quoted;
    strbuf_adds(out, is_whole ? ".0" : "");
    strbuf_done(&text);
}

void arg_print(const struct arg *v, struct strbuf *out)
{
    switch (v->kind) {
    case ARG_NONE:
        strbuf_adds(out, "None");
        break;
    case ARG_BOOL:
        strbuf_adds(out, v->truth ? "True" : "False");
        break;
    case ARG_INT:
        strbuf_printf(out, "%lld", (long long)v->integer);
        break;
    case ARG_FLOAT:
        print_real(v->real, out);
        break;
    case ARG_STR:
        strbuf_printf(out, "'" STR_FMT "'", STR_ARG(v->text));
        break;
    case ARG_DTYPE:
        strbuf_printf(out, "@" STR_FMT, STR_ARG(v->text));
        break;
    case ARG_LIST:
        strbuf_addc(out, '[');
        print_items(v, out);
        strbuf_addc(out, ']');
        break;
    case ARG_TUPLE:
        strbuf_addc(out, '(');
        print_items(v, out);
        strbuf_adds(out, v->n == 1 ? ",)" : ")");
        break;
    case ARG_TENSOR:
        print_tensor(v, out);
        break;
    }
}

static void print_part(const struct call_part *p, struct strbuf *out)
{
    for (size_t i = 0; i < p->n; i++) {
        strbuf_adds(out, i ? ", " : "");
        if (p->at[i].name.n)
            strbuf_printf(out, STR_FMT "=", STR_ARG(p->at[i].name));
        arg_print(&p->at[i].value, out);
    }
}

void call_print(const struct call *c, struct strbuf *out)
{
    strbuf_adds(out, c->is_step ? "step " : "");
    if (c->is_class || c->is_step) {
        print_part(&c->make, out);
        strbuf_adds(out, "; ");
    }
    print_part(&c->args, out);
    if (c->weights.n)
        strbuf_printf(out, " | " STR_FMT, STR_ARG(c->weights));
}

/* Questions -------------------------------------------------------------------------------------*/

bool arg_eq(const struct arg *x, const struct arg *y)
{
    struct strbuf a = {0}, b = {0};
    arg_print(x, &a);
    arg_print(y, &b);
    bool same = str_eq(strbuf_str(&a), strbuf_str(&b));
    strbuf_done(&a);
    strbuf_done(&b);
    return same;
}

size_t call_part_n_positional(const struct call_part *p)
{
    size_t n = 0;
    while (n < p->n && !p->at[n].name.n)
        n++;
    return n;
}

const struct arg *call_part_find(const struct call_part *p, struct str name)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->at[i].name.n && str_eq(p->at[i].name, name))
            return &p->at[i].value;
    return NULL;
}

static void print_value_kind(const struct arg *v, unsigned depth, struct strbuf *out)
{
    static const char marks[] = {'0', 'b', 'i', 'r', 's', 't', 'L', 'L', '?'};
    struct tensor_spec spec;
    if (v->kind == ARG_TENSOR && tensor_spec_parse(v->text, &spec)) {
        strbuf_printf(out, "%c%zu", spec.letter, spec.rank);
        if (spec.draw.n)
            strbuf_printf(out, ":" STR_FMT, STR_ARG(spec.draw));
    } else {
        strbuf_addc(out, marks[v->kind]);
        for (size_t i = 0; i < v->n && depth < 2; i++)
            print_value_kind(&v->items[i], depth + 1, out);
    }
}

static void print_part_kind(const struct call_part *p, struct strbuf *out)
{
    for (size_t i = 0; i < p->n; i++) {
        strbuf_adds(out, out->n ? " " : "");
        if (p->at[i].name.n)
            strbuf_printf(out, STR_FMT "=", STR_ARG(p->at[i].name));
        print_value_kind(&p->at[i].value, 0, out);
    }
}

void call_print_kind(const struct call *c, struct strbuf *out)
{
    print_part_kind(&c->make, out);
    print_part_kind(&c->args, out);
}

/* Adds a word for each tensor of the value; of those of a list a word that repeats is left out. */
static void add_tensors(const struct arg *v, bool ranks, struct strbuf *out)
{
    struct tensor_spec spec;
    struct str last = {0};
    if (v->kind == ARG_TENSOR && tensor_spec_parse(v->text, &spec)) {
        strbuf_adds(out, out->n ? " " : "");
        if (ranks)
            strbuf_printf(out, "%zu", spec.rank);
        else
            strbuf_adds(out, tensor_letter_dtype(spec.letter));
    }
    for (size_t i = 0; i < v->n; i++) {
        struct strbuf word = {0};
        add_tensors(&v->items[i], ranks, &word);
        if (word.n && !str_eq(strbuf_str(&word), last)) {
            strbuf_adds(out, out->n ? " " : "");
            strbuf_addstr(out, strbuf_str(&word));
            last = str_sub(strbuf_str(out), out->n - word.n, out->n);
        }
        strbuf_done(&word);
    }
}

void call_print_ranks(const struct call *c, struct strbuf *out)
{
    for (size_t i = 0; i < c->args.n; i++)
        add_tensors(&c->args.at[i].value, true, out);
}

void call_print_dtypes(const struct call *c, struct strbuf *out)
{
    for (size_t i = 0; i < c->args.n; i++) {
        struct strbuf word = {0};
        add_tensors(&c->args.at[i].value, false, &word);
        if (word.n && str_find(strbuf_str(out), strbuf_str(&word)) == out->n) {
            strbuf_adds(out, out->n ? " " : "");
            strbuf_addstr(out, strbuf_str(&word));
        }
        strbuf_done(&word);
    }
}
