/*
 * What is kept between files: the map from the grammar's numbers to ours, the interned words, the
 * parser. Knows no file. Invariant: a symbol's row is found by the grammar's name, so that another
 * build of the grammar with other numbers still works.
 */
#include "python/tree_p.h"

const TSLanguage *tree_sitter_python(void);

static const struct {
    const char *grammar;
    bool is_expression, is_statement;
} kinds[] = {
#define NODE(name, grammar, is_expression, is_statement) {grammar, is_expression, is_statement},
#include "python/node.def"
#undef NODE
};

static const char *const fields[] = {
    "",
#define FIELD(name, grammar) grammar,
#include "python/field.def"
#undef FIELD
};

static const char *const operators[] = {
#define OPERATOR(name, text) text,
#include "python/operator.def"
#undef OPERATOR
};

/* Names in the grammar that share a kind with another. */
static const struct {
    const char *grammar;
    enum py_kind kind;
} aliases[] = {
    {"format_expression", PY_INTERPOLATION},
    {"splat_type", PY_LIST_SPLAT},
    {"generic_type", PY_SUBSCRIPT},
    {"union_type", PY_BINARY},
    {"constrained_type", PY_OTHER},
    {"member_type", PY_ATTRIBUTE},
    {"lambda_within_for_in_clause", PY_LAMBDA},
};

static const struct {
    const char *token;
    enum py_flag flag;
} flags[] = {{"async", PY_FLAG_ASYNC}, {"from", PY_FLAG_FROM}};

/* The kinds whose nodes tree_list lists. */
static const enum py_kind listed[] = {
    PY_IMPORT,
    PY_IMPORT_FROM,
    PY_FUTURE_IMPORT,
    PY_RETURN,
    PY_FUNCTION,
    PY_CLASS,
    PY_DECORATED,
    PY_IF,
    PY_FOR,
    PY_WHILE,
    PY_TRY,
    PY_WITH,
    PY_WITH_ITEM,
    PY_MATCH,
    PY_EXPRESSION_STATEMENT,
    PY_GLOBAL,
    PY_ATTRIBUTE,
    PY_SUBSCRIPT,
    PY_CALL,
    PY_ASSIGNMENT,
    PY_AUGMENTED,
    PY_NAMED,
    PY_BINARY,
    PY_COMPARE,
    PY_LAMBDA,
    PY_YIELD,
    PY_AWAIT,
    PY_ERROR,
    PY_DELETE,
    PY_RAISE,
    PY_LIST_COMPREHENSION,
    PY_SET_COMPREHENSION,
    PY_DICT_COMPREHENSION,
    PY_GENERATOR,
    PY_DICT,
    PY_PAIR,
    PY_KEYWORD_ARGUMENT,
};

const char *py_kind_name(enum py_kind kind)
{
    return kind == PY_OTHER ? "other" : kinds[kind].grammar;
}

const char *py_field_name(enum py_field field)
{
    return fields[field];
}

const char *py_op_text(enum py_op op)
{
    return operators[op];
}

bool py_is_expression(enum py_kind kind)
{
    return kinds[kind].is_expression;
}

bool py_is_statement(enum py_kind kind)
{
    return kinds[kind].is_statement;
}

bool py_is_listed(enum py_kind kind)
{
    for (size_t i = 0; i < COUNT_OF(listed); i++)
        if (listed[i] == kind)
            return true;
    return false;
}

/* Is it inside a string, or a piece of a token? Such symbols become no nodes. */
static bool is_string_part(const char *name)
{
    static const char *const parts[] = {
        "string_start",         "string_content",  "string_end",       "escape_sequence",
        "escape_interpolation", "type_conversion", "line_continuation"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strcmp(parts[i], name) == 0)
            return true;
    return false;
}

static struct symbol named_symbol(const char *name)
{
    if (strcmp(name, "comment") == 0)
        return (struct symbol){SYMBOL_COMMENT, 0};
    if (strcmp(name, "identifier") == 0)
        return (struct symbol){SYMBOL_WORD, PY_IDENTIFIER};
    if (strcmp(name, "string") == 0)
        return (struct symbol){SYMBOL_STRING, PY_STRING};
    if (is_string_part(name))
        return (struct symbol){SYMBOL_SKIP, 0};
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        if (strcmp(aliases[i].grammar, name) == 0)
            return (struct symbol){SYMBOL_NODE, (uint8_t)aliases[i].kind};
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i].grammar, name) == 0)
            return (struct symbol){SYMBOL_NODE, (uint8_t)i};
    return (struct symbol){SYMBOL_NODE, PY_OTHER};
}

static struct symbol token_symbol(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (strcmp(flags[i].token, name) == 0)
            return (struct symbol){SYMBOL_FLAG, (uint8_t)flags[i].flag};
    for (size_t i = 1; i < COUNT_OF(operators); i++)
        if (strcmp(operators[i], name) == 0)
            return (struct symbol){SYMBOL_OPERATOR, (uint8_t)i};
    return (struct symbol){SYMBOL_SKIP, 0};
}

static void fill_tables(struct py_parser *p, const TSLanguage *language)
{
    p->n_symbols = ts_language_symbol_count(language);
    p->symbols = arena_new_array(&p->tables, struct symbol, p->n_symbols);
    for (uint32_t i = 0; i < p->n_symbols; i++) {
        const char *name = ts_language_symbol_name(language, (TSSymbol)i);
        TSSymbolType type = ts_language_symbol_type(language, (TSSymbol)i);
        if (type == TSSymbolTypeRegular || type == TSSymbolTypeSupertype)
            p->symbols[i] = named_symbol(name);
        else if (type == TSSymbolTypeAnonymous)
            p->symbols[i] = token_symbol(name);
    }
    p->n_fields = ts_language_field_count(language) + 1;
    p->fields = arena_new_array(&p->tables, uint8_t, p->n_fields);
    for (uint32_t i = 1; i < p->n_fields; i++) {
        const char *name = ts_language_field_name_for_id(language, (TSFieldId)i);
        for (size_t f = 1; name && f < COUNT_OF(fields); f++)
            if (strcmp(fields[f], name) == 0)
                p->fields[i] = (uint8_t)f;
    }
}

TSParser *parser__new(void)
{
    TSParser *parser = ts_parser_new();
    if (ts_parser_set_language(parser, tree_sitter_python()))
        return parser;
    ts_parser_delete(parser);
    return NULL;
}

bool py_parser_open(struct py_parser **out, struct err *e)
{
    struct py_parser *p = mem_alloc(sizeof *p);
    *p = (struct py_parser){.memory = parse_memory__new()};
    arena_init(&p->tables);
    arena_init(&p->words_arena);
    TSParser *parser = parser__new();
    if (!parser) {
        py_parser_close(p);
        return err_set(e, ERR_INTERNAL, "the Python grammar does not fit the parser");
    }
    ts_parser_delete(parser);
    fill_tables(p, tree_sitter_python());
    *out = p;
    return true;
}

void py_parser_close(struct py_parser *p)
{
    if (!p)
        return;
    parse_memory__free(p->memory);
    vec_free(&p->scratch.nodes);
    vec_free(&p->scratch.comments);
    vec_free(&p->scratch.damage);
    arena_done(&p->words_arena);
    arena_done(&p->tables);
    free(p);
}

uint32_t py_parser_word(struct py_parser *p, struct str text)
{
    return intern_id(&p->words, &p->words_arena, text);
}

uint32_t py_parser_find_word(const struct py_parser *p, struct str text)
{
    return intern_find(&p->words, text);
}

struct str py_parser_text(const struct py_parser *p, uint32_t word)
{
    return word == WORD_NONE ? STR("") : intern_str(&p->words, word);
}

size_t py_parser_word_count(const struct py_parser *p)
{
    return intern_count(&p->words);
}

uint32_t py_parser_epoch(const struct py_parser *p)
{
    return p->epoch;
}

void py_parser_trim(struct py_parser *p, size_t n_kept, size_t max)
{
    if (intern_count(&p->words) <= max || intern_count(&p->words) <= n_kept)
        return;
    struct arena fresh;
    struct intern words = {0};
    arena_init(&fresh);
    for (size_t i = 0; i < n_kept; i++)
        intern_id(&words, &fresh, intern_str(&p->words, (uint32_t)i));
    arena_done(&p->words_arena);
    p->words_arena = fresh;
    p->words = words;
    p->epoch++;
}
