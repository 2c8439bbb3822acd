/*
 * Summaries as bytes and back: numbers as LEB128, names as text, because word and path numbers
 * differ between processes. Reading trusts nothing: counts are compared with the bytes that are
 * left.
 */
#include "python/summary_p.h"

enum { FORMAT = 14, MAX_COUNT = 1 << 20 };

/* ---- writing ---- */

struct writer {
    struct strbuf *out;
    const struct paths *paths;
    const struct py_parser *words;
    struct strbuf text;
};

static void put(struct writer *w, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        strbuf_addc(w->out, (char)(v | 0x80));
    strbuf_addc(w->out, (char)v);
}

static void put_text(struct writer *w, struct str s)
{
    put(w, s.n);
    strbuf_addstr(w->out, s);
}

static void put_path(struct writer *w, uint32_t path)
{
    strbuf_clear(&w->text);
    paths_text(w->paths, path, &w->text);
    put_text(w, strbuf_str(&w->text));
}

static void put_word(struct writer *w, uint32_t word)
{
    put_text(w, py_parser_text(w->words, word));
}

static void put_optional_word(struct writer *w, uint32_t word)
{
    put_text(w, word == WORD_NONE ? STR("") : py_parser_text(w->words, word));
}

static void put_effect(struct writer *w, const struct summary_effect *e)
{
    put(w, e->parameter);
    put_word(w, e->root);
    put(w, e->n_path);
    for (unsigned i = 0; i < e->n_path; i++)
        put_word(w, e->path[i]);
    put(w, e->may);
    put(w, e->must);
    put(w, e->type);
    put(w, e->confidence);
    put(w, e->is_field);
}

static void put_constant(struct writer *w, struct constant c)
{
    put(w, c.kind);
    put(w, c.text);
}

static void put_flags(struct writer *w, const struct function_summary *f)
{
    put(w, f->n_flags);
    for (unsigned i = 0; i < f->n_flags; i++) {
        put(w, f->flags[i].parameter);
        put_constant(w, f->flags[i].absent);
    }
    put(w, f->called);
    put(w, f->n_guards);
    for (unsigned i = 0; i < f->n_guards; i++) {
        const struct summary_guard *g = &f->guards[i];
        put(w, g->effect);
        put(w, g->role);
        put(w, (uint64_t)g->is_certain | (uint64_t)g->sets_mode << 1 |
                   (uint64_t)g->test.is_negated << 2 | (uint64_t)g->test.kind << 3);
        put(w, g->test.parameter);
        put(w, g->test.text);
    }
}

static void put_return(struct writer *w, const struct summary_return *r)
{
    put(w, r->domain);
    put(w, r->type);
    put(w, (uint64_t)(r->parameter + 1));
    put_path(w, r->class_path);
    put_path(w, r->api_path);
    put(w, r->is_cut);
    put(w, r->has_graph);
    put(w, r->made.gives);
    put(w, r->made.members);
    put(w, r->holds);
    put(w, r->holds_returned);
    put(w, (uint64_t)(r->entry + 1));
}

static void put_function(struct writer *w, const struct function_summary *f)
{
    put_path(w, f->path);
    put(w, f->start);
    put(w, f->n_parameters);
    for (unsigned i = 0; i < f->n_parameters; i++)
        put_word(w, f->parameters[i]);
    put(w, f->n_effects);
    for (unsigned i = 0; i < f->n_effects; i++)
        put_effect(w, &f->effects[i]);
    put_flags(w, f);
    put(w, f->n_returns);
    for (unsigned i = 0; i < f->n_returns; i++)
        put_return(w, &f->returns[i]);
    put(w, f->n_parts);
    for (unsigned i = 0; i < f->n_parts; i++) {
        put_word(w, f->parts[i].key);
        put_return(w, &f->parts[i].value);
    }
    put(w, f->n_blends);
    for (unsigned i = 0; i < 2u * f->n_blends; i++) {
        put(w, f->blends[i / 2].parameter[i % 2]);
        put_optional_word(w, f->blends[i / 2].key[i % 2]);
    }
    put(w, (uint64_t)f->in_no_grad | (uint64_t)f->is_generator << 1 | (uint64_t)f->is_opaque << 2);
    put(w, f->decorates);
    put(w, f->n_calls);
    for (unsigned i = 0; i < f->n_calls; i++) {
        put_path(w, f->calls[i].path);
        put(w, f->calls[i].offset);
        put(w, f->calls[i].n_arguments);
        for (unsigned j = 0; j < f->calls[i].n_arguments; j++)
            put(w, f->calls[i].argument[j]);
        put(w, f->calls[i].is_must);
    }
}

static void put_given(struct writer *w, const struct given_fact *g)
{
    put(w, g->type);
    put(w, g->confidence);
    put_path(w, g->api_path);
    put_path(w, g->class_path);
    put(w, g->domain);
    put(w, g->mode);
    put(w, g->role);
    put(w, (uint64_t)(g->parameter + 1));
    put_optional_word(w, g->key);
    put(w, g->holds);
    put(w, g->made.gives);
    put(w, g->made.members);
    put_constant(w, g->constant);
}

static void put_class(struct writer *w, const struct class_summary *c)
{
    put_path(w, c->path);
    put(w, c->line);
    put(w, c->n_bases);
    for (uint32_t i = 0; i < c->n_bases; i++)
        put_path(w, c->bases[i]);
    put(w, c->type);
    put(w, c->traits);
    put(w, c->has_unknown_members);
    put(w, c->n_fields);
    for (uint32_t i = 0; i < c->n_fields; i++) {
        put_word(w, c->fields[i].word);
        put_given(w, &c->fields[i].fact);
    }
}

static void put_site(struct writer *w, const struct summary_site *s)
{
    put_path(w, s->caller);
    put_path(w, s->callee);
    put(w, s->line);
    put(w, s->is_bound);
    put(w, (uint64_t)s->in_no_grad | (uint64_t)s->in_loop << 1 | (uint64_t)s->may_clear << 2 |
               (uint64_t)s->is_own << 3);
    put(w, s->n_given);
    for (unsigned i = 0; i < s->n_given; i++) {
        put_optional_word(w, s->words[i]);
        put_given(w, &s->given[i]);
    }
    put(w, s->n_parts);
    for (unsigned i = 0; i < s->n_parts; i++) {
        put(w, s->parts[i].at);
        put_word(w, s->parts[i].key);
        put_given(w, &s->given[GIVEN_MAX + i]);
    }
}

void summary_write(const struct file_summary *s, const struct paths *paths,
                   const struct py_parser *words, struct strbuf *out)
{
    struct writer w = {out, paths, words, {0}};
    put(&w, FORMAT);
    put_path(&w, s->module);
    put(&w, s->n_functions);
    for (uint32_t i = 0; i < s->n_functions; i++)
        put_function(&w, &s->functions[i]);
    put(&w, s->n_classes);
    for (uint32_t i = 0; i < s->n_classes; i++)
        put_class(&w, &s->classes[i]);
    put(&w, s->n_exports);
    for (uint32_t i = 0; i < s->n_exports; i++) {
        put_path(&w, s->exports[i].path);
        put_path(&w, s->exports[i].target);
        put(&w, s->exports[i].is_star);
    }
    put(&w, s->n_values);
    for (uint32_t i = 0; i < s->n_values; i++) {
        put_path(&w, s->values[i].path);
        put(&w, s->values[i].type);
        put(&w, s->values[i].confidence);
        put_path(&w, s->values[i].api_path);
        put_path(&w, s->values[i].class_path);
        put_return(&w, &s->values[i].entries);
    }
    put(&w, s->n_imports);
    for (uint32_t i = 0; i < s->n_imports; i++)
        put_path(&w, s->imports[i]);
    put(&w, s->n_sites);
    for (uint32_t i = 0; i < s->n_sites; i++)
        put_site(&w, &s->sites[i]);
    strbuf_done(&w.text);
}

/* ---- reading ---- */

struct reader {
    struct str bytes;
    size_t at;
    bool bad;
    struct paths *paths;
    struct py_parser *words;
    struct arena *a;
};

static uint64_t get(struct reader *r, uint64_t max)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (r->at >= r->bytes.n)
            break;
        unsigned char c = (unsigned char)r->bytes.at[r->at++];
        v |= (uint64_t)(c & 0x7F) << shift;
        if (!(c & 0x80)) {
            r->bad |= v > max;
            return v > max ? 0 : v;
        }
    }
    r->bad = true;
    return 0;
}

/* Reads a count of items that take at least one byte each. */
static uint32_t get_count(struct reader *r)
{
    uint64_t n = get(r, MAX_COUNT);
    if (n > r->bytes.n - r->at) {
        r->bad = true;
        n = 0;
    }
    return (uint32_t)n;
}

static struct str get_text(struct reader *r)
{
    uint32_t n = get_count(r);
    struct str s = str_sub(r->bytes, r->at, r->at + n);
    r->at += n;
    return s;
}

static uint32_t get_path(struct reader *r)
{
    struct str s = get_text(r);
    return s.n ? paths_add(r->paths, s) : (uint32_t)PATH_NONE;
}

static uint32_t get_word(struct reader *r)
{
    struct str s = get_text(r);
    return s.n ? py_parser_word(r->words, s) : (uint32_t)WORD_NONE;
}

static void get_effect(struct reader *r, struct summary_effect *e)
{
    e->parameter = (uint8_t)get(r, SLOT_OUTER);
    e->root = get_word(r);
    e->n_path = (uint8_t)get(r, FLOW_DEPTH);
    for (unsigned i = 0; i < e->n_path; i++)
        e->path[i] = get_word(r);
    e->may = get(r, UINT64_MAX);
    e->must = get(r, UINT64_MAX);
    e->type = (enum value_type)get(r, N_TYPES - 1);
    e->confidence = (enum confidence)get(r, CONFIDENCE_HIGH);
    e->is_field = get(r, 1) != 0;
    e->object = OBJECT_NONE;
}

static void get_return(struct reader *r, struct summary_return *out)
{
    out->domain = (enum domain)get(r, N_DOMAINS - 1);
    out->type = (enum value_type)get(r, N_TYPES - 1);
    out->parameter = (int8_t)((int)get(r, 127) - 1);
    out->class_path = get_path(r);
    out->api_path = get_path(r);
    out->is_cut = get(r, 1) != 0;
    out->has_graph = get(r, 1) != 0;
    out->made.gives = (enum domain)get(r, N_DOMAINS - 1);
    out->made.members = (uint8_t)get(r, MEMBERS_WITHOUT_MODE);
    out->holds = (uint32_t)get(r, UINT32_MAX);
    out->holds_returned = (uint32_t)get(r, UINT32_MAX);
    out->entry = (int8_t)((int)get(r, 127) - 1);
}

static void get_returns(struct reader *r, struct function_summary *f)
{
    f->n_returns = (uint8_t)get(r, RETURN_MAX);
    struct summary_return *returns = arena_new_array(r->a, struct summary_return, f->n_returns);
    for (unsigned i = 0; i < f->n_returns; i++)
        get_return(r, &returns[i]);
    f->returns = returns;
    f->n_parts = (uint8_t)get(r, RETURN_MAX);
    struct summary_part *parts = arena_new_array(r->a, struct summary_part, f->n_parts);
    for (unsigned i = 0; i < f->n_parts; i++) {
        parts[i].key = get_word(r);
        get_return(r, &parts[i].value);
    }
    f->parts = parts;
    f->n_blends = (uint8_t)get(r, RETURN_MAX);
    struct summary_blend *blends = arena_new_array(r->a, struct summary_blend, f->n_blends);
    for (unsigned i = 0; i < 2u * f->n_blends; i++) {
        blends[i / 2].parameter[i % 2] = (uint8_t)get(r, SLOT_OUTER);
        blends[i / 2].key[i % 2] = get_word(r);
    }
    f->blends = blends;
}

static void get_calls(struct reader *r, struct function_summary *f)
{
    f->n_calls = get_count(r);
    struct summary_call *calls = arena_new_array(r->a, struct summary_call, f->n_calls);
    for (unsigned i = 0; i < f->n_calls && !r->bad; i++) {
        calls[i].path = get_path(r);
        calls[i].offset = (uint32_t)get(r, UINT32_MAX);
        calls[i].n_arguments = (uint8_t)get(r, COUNT_OF(calls[i].argument));
        for (unsigned j = 0; j < calls[i].n_arguments; j++)
            calls[i].argument[j] = (uint8_t)get(r, f->n_effects);
        calls[i].is_must = get(r, 1) != 0;
    }
    f->calls = calls;
}

static struct constant get_constant(struct reader *r)
{
    struct constant c = {.kind = (enum constant_kind)get(r, CONSTANT_OBJECT)};
    c.text = (uint32_t)get(r, UINT32_MAX);
    return c;
}

static void get_flags(struct reader *r, struct function_summary *f)
{
    f->n_flags = (uint8_t)get(r, FLAGS_MAX);
    for (unsigned i = 0; i < f->n_flags; i++) {
        f->flags[i].parameter = (uint8_t)get(r, GIVEN_MAX - 1);
        f->flags[i].absent = get_constant(r);
        r->bad |= f->flags[i].parameter >= f->n_parameters;
    }
    f->called = (uint32_t)get(r, UINT32_MAX);
    f->n_guards = get_count(r);
    struct summary_guard *guards = arena_new_array(r->a, struct summary_guard, f->n_guards);
    for (unsigned i = 0; i < f->n_guards && !r->bad; i++) {
        guards[i].effect = (uint32_t)get(r, f->n_effects);
        guards[i].role = (uint8_t)get(r, N_ROLES - 1);
        uint64_t bits = get(r, 31);
        guards[i].is_certain = bits & 1;
        guards[i].sets_mode = bits >> 1 & 1;
        guards[i].test.is_negated = bits >> 2 & 1;
        guards[i].test.kind = (uint8_t)(bits >> 3);
        guards[i].test.parameter = (uint8_t)get(r, SLOT_OUTER);
        r->bad |= guards[i].test.parameter >= f->n_parameters || guards[i].test.kind > FLAG_TEXT;
        guards[i].test.text = (uint32_t)get(r, UINT32_MAX);
    }
    f->guards = guards;
}

static void get_function(struct reader *r, struct function_summary *f)
{
    f->path = get_path(r);
    f->start = (uint32_t)get(r, UINT32_MAX);
    f->n_parameters = (uint8_t)get(r, SLOT_OUTER);
    uint32_t *parameters = arena_new_array(r->a, uint32_t, f->n_parameters);
    for (unsigned i = 0; i < f->n_parameters; i++)
        parameters[i] = get_word(r);
    f->parameters = parameters;
    f->n_effects = get_count(r);
    struct summary_effect *effects = arena_new_array(r->a, struct summary_effect, f->n_effects);
    for (unsigned i = 0; i < f->n_effects && !r->bad; i++)
        get_effect(r, &effects[i]);
    f->effects = effects;
    get_flags(r, f);
    get_returns(r, f);
    uint64_t flags = get(r, 7);
    f->in_no_grad = flags & 1;
    f->is_generator = flags >> 1 & 1;
    f->is_opaque = flags >> 2 & 1;
    f->decorates = (uint8_t)get(r, MAKES_DECORATOR);
    get_calls(r, f);
}

static void get_given(struct reader *r, struct given_fact *g)
{
    g->type = (enum value_type)get(r, N_TYPES - 1);
    g->confidence = (enum confidence)get(r, CONFIDENCE_HIGH);
    g->api_path = get_path(r);
    g->class_path = get_path(r);
    g->domain = (enum domain)get(r, N_DOMAINS - 1);
    g->mode = (enum module_mode)get(r, MODE_ENTRY);
    g->role = (enum loader_role)get(r, LOADER_EVAL);
    g->parameter = (int8_t)((int)get(r, 127) - 1);
    g->key = get_word(r);
    g->holds = (uint32_t)get(r, UINT32_MAX);
    g->made.gives = (enum domain)get(r, N_DOMAINS - 1);
    g->made.members = (uint8_t)get(r, MEMBERS_WITHOUT_MODE);
    g->constant = get_constant(r);
}

static void get_class(struct reader *r, struct class_summary *c)
{
    c->path = get_path(r);
    c->line = (uint32_t)get(r, UINT32_MAX);
    c->n_bases = get_count(r);
    uint32_t *bases = arena_new_array(r->a, uint32_t, c->n_bases);
    for (uint32_t i = 0; i < c->n_bases; i++)
        bases[i] = get_path(r);
    c->bases = bases;
    c->type = (enum value_type)get(r, N_TYPES - 1);
    c->traits = get(r, UINT64_MAX);
    c->has_unknown_members = get(r, 1) != 0;
    c->n_fields = get_count(r);
    struct class_field *fields = arena_new_array(r->a, struct class_field, c->n_fields);
    for (uint32_t i = 0; i < c->n_fields && !r->bad; i++) {
        fields[i].word = get_word(r);
        get_given(r, &fields[i].fact);
    }
    c->fields = fields;
}

static void get_value(struct reader *r, struct summary_value *v)
{
    v->path = get_path(r);
    v->type = (enum value_type)get(r, N_TYPES - 1);
    v->confidence = (enum confidence)get(r, CONFIDENCE_HIGH);
    v->api_path = get_path(r);
    v->class_path = get_path(r);
    get_return(r, &v->entries);
}

static void get_site(struct reader *r, struct summary_site *s)
{
    s->caller = get_path(r);
    s->callee = get_path(r);
    s->line = (uint32_t)get(r, UINT32_MAX);
    s->is_bound = get(r, 1) != 0;
    uint64_t bits = get(r, 15);
    s->in_no_grad = bits & 1;
    s->in_loop = bits >> 1 & 1;
    s->may_clear = bits >> 2 & 1;
    s->is_own = bits >> 3 & 1;
    s->n_given = (uint8_t)get(r, GIVEN_MAX);
    for (unsigned i = 0; i < s->n_given && !r->bad; i++) {
        s->words[i] = get_word(r);
        get_given(r, &s->given[i]);
    }
    s->n_parts = (uint8_t)get(r, GIVEN_PARTS_MAX);
    for (unsigned i = 0; i < s->n_parts && !r->bad; i++) {
        s->parts[i].at = (uint8_t)get(r, GIVEN_RECEIVER);
        s->parts[i].key = get_word(r);
        get_given(r, &s->given[GIVEN_MAX + i]);
    }
}

bool summary_read(struct str bytes, struct paths *paths, struct py_parser *words, struct arena *a,
                  struct file_summary *out, struct err *e)
{
    struct reader r = {.bytes = bytes, .paths = paths, .words = words, .a = a};
    *out = (struct file_summary){.module = PATH_NONE};
    if (get(&r, UINT64_MAX) != FORMAT)
        return err_set(e, ERR_DATA, "summary: not of format %d", FORMAT);
    out->module = get_path(&r);
    out->n_functions = get_count(&r);
    out->functions = arena_new_array(a, struct function_summary, out->n_functions);
    for (uint32_t i = 0; i < out->n_functions && !r.bad; i++)
        get_function(&r, &out->functions[i]);
    out->n_classes = get_count(&r);
    out->classes = arena_new_array(a, struct class_summary, out->n_classes);
    for (uint32_t i = 0; i < out->n_classes && !r.bad; i++)
        get_class(&r, &out->classes[i]);
    out->n_exports = get_count(&r);
    out->exports = arena_new_array(a, struct summary_export, out->n_exports);
    for (uint32_t i = 0; i < out->n_exports && !r.bad; i++) {
        out->exports[i].path = get_path(&r);
        out->exports[i].target = get_path(&r);
        out->exports[i].is_star = get(&r, 1) != 0;
    }
    out->n_values = get_count(&r);
    out->values = arena_new_array(a, struct summary_value, out->n_values);
    for (uint32_t i = 0; i < out->n_values && !r.bad; i++)
        get_value(&r, &out->values[i]);
    out->n_imports = get_count(&r);
    uint32_t *imports = arena_new_array(a, uint32_t, out->n_imports);
    for (uint32_t i = 0; i < out->n_imports && !r.bad; i++)
        imports[i] = get_path(&r);
    out->imports = imports;
    out->n_sites = get_count(&r);
    out->sites = arena_new_array(a, struct summary_site, out->n_sites);
    for (uint32_t i = 0; i < out->n_sites && !r.bad; i++)
        get_site(&r, &out->sites[i]);
    if (r.bad || r.at != bytes.n)
        return err_set(e, ERR_DATA, "summary: damaged at byte %zu of %zu", r.at, bytes.n);
    return true;
}

/* ---- dump ---- */

static void dump_roles(uint64_t may, uint64_t must, struct strbuf *out)
{
    for (unsigned r = 1; r < N_ROLES; r++)
        if (may >> r & 1)
            strbuf_printf(out, " %s%s", role_name((enum role)r), must >> r & 1 ? "!" : "");
}

static void dump_guards(const struct function_summary *f, uint32_t effect,
                        const struct py_parser *words, struct strbuf *out)
{
    static const char *const kinds[] = {"", " is not None", " is a text"};
    for (unsigned i = 0; i < f->n_guards; i++) {
        const struct summary_guard *g = &f->guards[i];
        if (g->effect == effect)
            strbuf_printf(out, "    %s%s if %s" STR_FMT "%s\n", role_name((enum role)g->role),
                          g->is_certain ? "!" : "", g->test.is_negated ? "not " : "",
                          STR_ARG(py_parser_text(words, f->parameters[g->test.parameter])),
                          kinds[g->test.kind]);
    }
}

static void dump_function(const struct function_summary *f, const struct paths *paths,
                          const struct py_parser *words, struct strbuf *out)
{
    strbuf_adds(out, "function ");
    paths_text(paths, f->path, out);
    strbuf_printf(out, "%s%s%s\n", f->is_opaque ? " opaque" : "",
                  f->is_generator ? " generator" : "", f->in_no_grad ? " no-grad" : "");
    for (uint32_t i = 0; i < f->n_effects; i++) {
        const struct summary_effect *e = &f->effects[i];
        if (!e->may)
            continue;
        strbuf_printf(out, "  " STR_FMT,
                      STR_ARG(e->parameter == SLOT_OUTER
                                  ? py_parser_text(words, e->root)
                                  : py_parser_text(words, f->parameters[e->parameter])));
        for (unsigned p = 0; p < e->n_path; p++)
            strbuf_printf(out, "." STR_FMT, STR_ARG(py_parser_text(words, e->path[p])));
        strbuf_printf(out, " (%s):", type_name(e->type));
        dump_roles(e->may, e->must, out);
        strbuf_addc(out, '\n');
        dump_guards(f, i, words, out);
    }
    for (unsigned i = 0; i < f->n_returns; i++) {
        const struct summary_return *r = &f->returns[i];
        strbuf_printf(out, "  returns[%u]: %s %s%s", i, type_name(r->type), domain_name(r->domain),
                      r->is_cut      ? " cut"
                      : r->has_graph ? " with graph"
                                     : "");
        if (r->parameter >= 0)
            strbuf_printf(out, " = " STR_FMT,
                          STR_ARG(py_parser_text(words, f->parameters[r->parameter])));
        strbuf_addc(out, '\n');
    }
    for (unsigned i = 0; i < f->n_parts; i++)
        strbuf_printf(out, "  returns[" STR_FMT "]: %s %s\n",
                      STR_ARG(py_parser_text(words, f->parts[i].key)),
                      type_name(f->parts[i].value.type), domain_name(f->parts[i].value.domain));
    for (uint32_t i = 0; i < f->n_calls; i++) {
        strbuf_adds(out, "  calls ");
        paths_text(paths, f->calls[i].path, out);
        strbuf_addc(out, '\n');
    }
}

void summary_dump(const struct file_summary *s, const struct paths *paths,
                  const struct py_parser *words, struct strbuf *out)
{
    for (uint32_t i = 0; i < s->n_functions; i++)
        dump_function(&s->functions[i], paths, words, out);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        strbuf_adds(out, "class ");
        paths_text(paths, s->classes[i].path, out);
        strbuf_printf(out, ": %s", type_name(s->classes[i].type));
        for (unsigned t = 0; t < N_TRAITS; t++)
            if (s->classes[i].traits >> t & 1)
                strbuf_printf(out, " %s", trait_name((enum trait_at)t));
        strbuf_addc(out, '\n');
    }
}
