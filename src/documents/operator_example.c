/*
 * Decides what in an operator's document is an example, and which program shows it. Must not know
 * single operators. Invariant: a block with a line, or a name, that is not understood is none.
 */
#include "documents/operator_example.h"

enum { PLACES_MAX = 32, LITERAL_MAX = 4096 };

enum role { ROLE_INPUT, ROLE_ATTRIBUTE, ROLE_OUTPUT, ROLE_COUNT };

static const char *const role_words[ROLE_COUNT] = {"input ", "attribute ", "output "};
static const char *const role_prefixes[ROLE_COUNT] = {"input_", "attribute_", "output_"};

/* A row of the schema with the literal that the block gives it; "": none. */
struct place {
    struct str name, type, literal;
    enum role role;
};

struct example_rows {
    struct example *at;
    size_t n, cap;
};

struct block {
    const struct api_record *record;
    struct arena *a;
    struct place places[PLACES_MAX];
    size_t n;
    uint32_t line; /* of the last output */
    bool has_output;
    struct example_rows *out;
};

/* Names ----------------------------------------------------------------------------------------*/

static void add_places(struct block *b, enum role role)
{
    struct str word = str_of(role_words[role]);
    for (size_t i = 0; i < b->record->n_schemas && b->n < PLACES_MAX; i++) {
        struct str line = b->record->schemas[i];
        if (!str_starts(line, word))
            continue;
        size_t colon = str_find(line, STR(": "));
        struct str rest = str_sub(line, colon + 2, line.n);
        b->places[b->n++] = (struct place){.name = str_sub(line, word.n, colon),
                                           .type = str_sub(rest, 0, str_find_byte(rest, ' ')),
                                           .role = role};
    }
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Whether capitals or not. */
static bool same_name(struct str a, struct str b)
{
    size_t i = 0;
    while (i < a.n && i < b.n && small(a.at[i]) == small(b.at[i]))
        i++;
    return i == a.n && i == b.n;
}

static struct place *place_named(struct block *b, struct str name)
{
    for (size_t i = 0; i < b->n; i++) {
        struct place *p = &b->places[i];
        struct str prefix = str_of(role_prefixes[p->role]);
        struct str plain = str_starts(name, prefix) ? str_sub(name, prefix.n, name.n) : name;
        if (same_name(name, p->name) || same_name(plain, p->name))
            return p;
    }
    return NULL;
}

static struct place *find_place(struct block *b, struct str name)
{
    struct place *found = place_named(b, name);
    if (found || (!str_is(name, "output") && !str_is(name, "result")))
        return found;
    for (size_t i = 0; i < b->n; i++)
        if (b->places[i].role == ROLE_OUTPUT)
            return &b->places[i];
    return NULL;
}

/* The program ----------------------------------------------------------------------------------*/

static struct str allowed_types(const struct api_record *r, struct str type)
{
    for (size_t i = 0; i < r->n_schemas; i++) {
        struct str line = r->schemas[i];
        struct str rest = str_sub(line, strlen("type "), line.n);
        if (str_starts(line, STR("type ")) && str_starts(rest, type) && rest.at[type.n] == ':')
            return rest;
    }
    return type;
}

/* Is an input of this type written with a decimal point? */
static bool is_real(const struct block *b, struct str type)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->places[i].role == ROLE_INPUT && str_eq(b->places[i].type, type) &&
            str_find_byte(b->places[i].literal, '.') < b->places[i].literal.n)
            return true;
    return false;
}

/* The dtype of an input: the schema's first of these that the literals can have. */
static const char *dtype_of(const struct block *b, struct str type)
{
    static const struct {
        const char *type, *dtype;
        bool is_real;
    } rows[] = {{"tensor(int64)", "int64", false},
                {"tensor(int32)", "int32", false},
                {"tensor(float)", "float32", true},
                {"tensor(double)", "float64", true}};
    struct str allowed = allowed_types(b->record, type);
    bool real = is_real(b, type);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if ((rows[i].is_real || !real) && str_find(allowed, str_of(rows[i].type)) < allowed.n)
            return rows[i].dtype;
    return NULL;
}

static size_t last_given(const struct block *b, enum role role)
{
    size_t end = 0;
    for (size_t i = 0; i < b->n; i++)
        if (b->places[i].role == role && b->places[i].literal.n)
            end = i + 1;
    return end;
}

/* ["data", ""]: the names of one role up to the last given one. */
static void add_names(const struct block *b, enum role role, struct strbuf *out)
{
    const char *between = "";
    strbuf_addc(out, '[');
    for (size_t i = 0; i < last_given(b, role); i++) {
        const struct place *p = &b->places[i];
        if (p->role != role)
            continue;
        strbuf_printf(out, "%s\"" STR_FMT "\"", between, STR_ARG(p->literal.n ? p->name : STR("")));
        between = ", ";
    }
    strbuf_addc(out, ']');
}

static void add_node(const struct block *b, struct strbuf *out)
{
    struct str name = b->record->name;
    size_t dot = name.n;
    while (dot && name.at[dot - 1] != '.')
        dot--;
    strbuf_printf(out, "node = onnx.helper.make_node(\"" STR_FMT "\", ",
                  STR_ARG(str_sub(name, dot, name.n)));
    add_names(b, ROLE_INPUT, out);
    strbuf_adds(out, ", ");
    add_names(b, ROLE_OUTPUT, out);
    for (size_t i = 0; i < b->n; i++)
        if (b->places[i].role == ROLE_ATTRIBUTE && b->places[i].literal.n &&
            !str_is(b->places[i].literal, "None"))
            strbuf_printf(out, ", " STR_FMT "=" STR_FMT, STR_ARG(b->places[i].name),
                          STR_ARG(b->places[i].literal));
    struct str domain = str_sub(name, 0, dot ? dot - 1 : 0);
    if (!str_is(domain, "ai.onnx"))
        strbuf_printf(out, ", domain=\"" STR_FMT "\"", STR_ARG(domain));
    strbuf_adds(out, ")\n");
}

/* false: an input has no dtype. */
static bool add_run(const struct block *b, struct strbuf *out)
{
    strbuf_adds(out, "outputs = reference.ReferenceEvaluator(node).run(None, {");
    const char *between = "";
    for (size_t i = 0; i < b->n; i++) {
        const struct place *p = &b->places[i];
        if (p->role != ROLE_INPUT || !p->literal.n)
            continue;
        const char *dtype = dtype_of(b, p->type);
        if (!dtype)
            return false;
        strbuf_printf(out, "%s\"" STR_FMT "\": np.array(" STR_FMT ", \"%s\")", between,
                      STR_ARG(p->name), STR_ARG(p->literal), dtype);
        between = ", ";
    }
    strbuf_adds(out, "})\n");
    return true;
}

static void add_statement(struct block *b, struct strbuf *text, struct str expected)
{
    struct example x = {.source = strbuf_dup(text, b->a), .expected = expected, .line = b->line};
    vec_push(b->out, b->a, x);
    strbuf_clear(text);
}

/* Writes the statements of the outputs so far, which are then forgotten. */
static void finish_group(struct block *b)
{
    struct strbuf text = {0};
    size_t at = b->out->n, n_outputs = 0;
    if (!b->has_output || !last_given(b, ROLE_INPUT))
        return;
    add_node(b, &text);
    add_statement(b, &text, STR(""));
    if (!add_run(b, &text))
        b->out->n = at;
    else
        add_statement(b, &text, STR(""));
    for (size_t i = 0; i < b->n; i++) {
        struct place *p = &b->places[i];
        if (p->role != ROLE_OUTPUT)
            continue;
        if (p->literal.n && b->out->n > at) {
            strbuf_clear(&text);
            strbuf_printf(&text, "outputs[%zu]\n", n_outputs);
            struct str shown =
                str_of(arena_printf(b->a, "array(" STR_FMT ")", STR_ARG(p->literal)));
            add_statement(b, &text, shown);
        }
        p->literal = STR("");
        n_outputs++;
    }
    strbuf_done(&text);
    b->has_output = false;
}

/* Lines ----------------------------------------------------------------------------------------*/

static struct str without_comment(struct str line)
{
    return str_trim(str_sub(line, 0, str_find_byte(line, '#')));
}

static int depth_of(struct str text)
{
    int depth = 0;
    for (size_t i = 0; i < text.n; i++)
        depth += text.at[i] == '[' ? 1 : text.at[i] == ']' ? -1 : 0;
    return depth;
}

/* "name = literal", with the lines that an open bracket adds from `rest`; false: something else. */
static bool read_assignment(struct str line, struct str *rest, uint32_t *number, struct arena *a,
                            struct str *name, struct str *literal)
{
    size_t at = str_find_byte(line, '=');
    struct strbuf text = {0};
    struct str more = str_trim(str_sub(line, at + 1, line.n));
    *name = str_trim(str_sub(line, 0, at));
    for (size_t i = 0; i < name->n; i++)
        if (!str_is_word(name->at[i]))
            return false;
    if (!name->n || !more.n ||
        (!strchr("[-.'\"", more.at[0]) && !str_is_digit(more.at[0]) && !str_is(more, "None")))
        return false;
    strbuf_addstr(&text, more);
    while (depth_of(strbuf_str(&text)) > 0 && text.n < LITERAL_MAX &&
           str_split(rest, '\n', &more)) {
        strbuf_addc(&text, ' ');
        strbuf_addstr(&text, without_comment(more));
        ++*number;
    }
    *literal = strbuf_dup(&text, a);
    strbuf_done(&text);
    if (str_ends(*literal, STR(",")))
        *literal = str_sub(*literal, 0, literal->n - 1);
    return depth_of(*literal) == 0;
}

static void read_block(const struct api_record *r, struct str block, uint32_t number,
                       struct arena *a, struct example_rows *out)
{
    struct block b = {.record = r, .a = a, .out = out};
    struct str line, name, literal;
    size_t before = out->n;
    for (int role = 0; role < ROLE_COUNT; role++)
        add_places(&b, (enum role)role);
    while (str_split(&block, '\n', &line)) {
        uint32_t first = number++;
        line = without_comment(line);
        if (!line.n)
            continue;
        struct place *p = NULL;
        if (read_assignment(line, &block, &number, a, &name, &literal))
            p = find_place(&b, name);
        if (!p) {
            out->n = before;
            return;
        }
        if (p->role != ROLE_OUTPUT)
            finish_group(&b);
        p->literal = literal;
        if (p->role == ROLE_OUTPUT) {
            b.has_output = true;
            b.line = first;
        }
    }
    finish_group(&b);
}

void operator_example_find(const struct api_record *r, struct arena *a, struct example_list *out)
{
    struct example_rows list = {0};
    struct str rest = r->doc, line;
    const char *begin = NULL; /* of the text in the open fence */
    uint32_t number = 0, first = 0;
    while (str_split(&rest, '\n', &line)) {
        number++;
        if (!str_starts(str_trim(line), STR("```")))
            continue;
        if (begin)
            read_block(r, (struct str){begin, (size_t)(line.at - begin)}, first, a, &list);
        begin = begin ? NULL : line.at + MIN(line.n + 1, (size_t)(r->doc.at + r->doc.n - line.at));
        first = number + 1;
    }
    *out = (struct example_list){.at = list.at, .n = list.n};
}
