/*
 * One file from bytes to a report: source, tree, names, kinds, rules, suppressions, order.
 *
 * Knows neither files on disk nor settings. Invariant: words and paths beyond those of the rule set
 * are forgotten between files once they are many.
 */
#include "lint/lint.h"

#include "lint/fix_p.h"
#include "lint/rule_p.h"
#include "lint/suppress_p.h"

enum { NEW_WORDS_MAX = 20000, FIX_ROUNDS_MAX = 10, ALIASES_MAX = 256 };

struct linter {
    struct rule_set *rules;
    struct lint_options options;
    struct arena arena, scratch; /* of the file at hand */
    size_t n_words, n_paths;     /* those of rules and project: never forgotten */
};

/* What a path of an import is in the project: another spelling, then re-exports. */
struct follower {
    const struct summary_set *project;
    struct paths *paths;
    struct {
        uint32_t written, name;
    } aliases[ALIASES_MAX];
    size_t n;
};

struct linter *linter_new(struct rule_set *rules, const struct lint_options *options)
{
    struct linter *l = mem_alloc(sizeof *l);
    *l = (struct linter){.rules = rules, .options = *options};
    arena_init(&l->arena);
    arena_init(&l->scratch);
    l->n_words = py_parser_word_count(rules->parser);
    l->n_paths = paths_count(rules->paths);
    return l;
}

void linter_set_project(struct linter *l, const struct summary_set *project)
{
    l->options.project = project;
    l->n_words = MAX(l->n_words, py_parser_word_count(l->rules->parser));
    l->n_paths = MAX(l->n_paths, paths_count(l->rules->paths));
}

void linter_free(struct linter *l)
{
    if (!l)
        return;
    arena_done(&l->arena);
    arena_done(&l->scratch);
    free(l);
}

static bool has_text(struct str bytes, const char *word)
{
    struct str w = str_of(word);
    for (const char *at = bytes.at, *end = bytes.at + bytes.n; (size_t)(end - at) >= w.n;) {
        at = memchr(at, w.at[0], (size_t)(end - at) - w.n + 1);
        if (!at)
            return false;
        if (memcmp(at, w.at, w.n) == 0)
            return true;
        at++;
    }
    return false;
}

/* Does the text name a framework, or import nothing at all? */
static bool passes_prefilter(const struct linter *l, const struct lint_input *in)
{
    static const char *const words[] = {"torch", "lightning", "accelerate", "transformers", "timm"};
    if (l->options.no_prefilter || l->options.is_fragment || in->is_stdin || in->is_relevant)
        return true;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (has_text(in->bytes, words[i]))
            return true;
    return !has_text(in->bytes, "import");
}

/* Findings that are no rule's check: SB901, SB902. */
static void add_builtin(struct file_report *out, const struct rule *rule, struct finding f,
                        struct arena *a)
{
    struct finding *list = arena_new_array(a, struct finding, out->n + 1);
    if (!rule)
        return;
    f.code = rule->code;
    f.name = rule->name;
    f.severity = rule->severity;
    f.confidence = CONFIDENCE_HIGH;
    f.help = rule->fix;
    if (out->n)
        memcpy(list, out->findings, out->n * sizeof *list);
    list[out->n++] = f;
    out->findings = list;
}

static void fail_file(const struct rule_set *rules, struct str path, const char *why,
                      struct arena *a, struct file_report *out)
{
    struct finding f = {.message = str_of(arena_strdup(a, why))};
    f.start = f.end = (struct source_place){.line = 1, .column = 1};
    f.first_line = f.last_line = 1;
    out->path = (struct str){str_dup(a, path), path.n};
    out->has_failed = true;
    out->n = 0;
    add_builtin(out, rule_find(rules, STR("SB902")), f, a);
}

void linter_unreadable(const struct rule_set *rules, struct str path, const char *why,
                       struct arena *a, struct file_report *out)
{
    *out = (struct file_report){0};
    fail_file(rules, path, why, a, out);
}

/* The path with its longest part that is written otherwise under the name it has here. */
static uint32_t rename_path(const struct follower *f, uint32_t path)
{
    uint32_t words[16];
    size_t n = 0;
    for (uint32_t at = path; at != PATH_NONE; at = paths_parent(f->paths, at)) {
        for (size_t i = 0; i < f->n; i++) {
            if (f->aliases[i].written != at)
                continue;
            uint32_t result = f->aliases[i].name;
            while (n)
                result = paths_add_word(f->paths, result, words[--n]);
            return result;
        }
        if (n == COUNT_OF(words))
            break;
        words[n++] = paths_word(f->paths, at);
    }
    return path;
}

static uint32_t follow(void *ctx, uint32_t path)
{
    const struct follower *f = ctx;
    if (f->n)
        path = rename_path(f, path);
    return f->project ? summary_set_follow(f->project, path) : path;
}

static void set_follow(struct linter *l, const struct lint_input *in, struct names_options *names)
{
    if (!l->options.project && !in->n_aliases)
        return;
    struct follower *f = arena_new(&l->arena, struct follower);
    f->project = l->options.project;
    f->paths = l->rules->paths;
    for (size_t i = 0; i < in->n_aliases && f->n < ALIASES_MAX; i++, f->n++) {
        f->aliases[f->n].written = paths_add(l->rules->paths, in->aliases[i].written);
        f->aliases[f->n].name = paths_add(l->rules->paths, in->aliases[i].name);
    }
    names->follow = follow;
    names->follow_ctx = f;
}

static bool read_file(struct linter *l, const struct lint_input *in, struct lint_file *f,
                      struct err *e)
{
    struct arena *a = &l->arena;
    size_t n_conventions;
    struct source_limits limits = {.max_bytes = l->options.max_file_size};
    *f = (struct lint_file){.rules = l->rules,
                            .arena = a,
                            .scratch = &l->scratch,
                            .api = l->rules->api,
                            .torch_version = l->options.torch_version};
    struct source_input file = {in->path, in->bytes,
                                in->is_notebook ? SOURCE_NOTEBOOK : SOURCE_FILE};
    if (!source_open(&file, &limits, a, &f->source, e) ||
        !tree_read(l->rules->parser, &f->source, a, &f->tree, e))
        return false;
    struct names_options names = {.module = in->module, .is_package = in->is_package};
    names.conventions = api_conventions(l->rules->api, &n_conventions);
    names.n_conventions = n_conventions;
    set_follow(l, in, &names);
    names_build(&f->tree, l->rules->paths, &names, a, &f->names);
    bool is_fragment = !f->names.has_import || in->is_stdin || l->options.is_fragment;
    struct kinds_options kinds = {.is_fragment = is_fragment, .project = l->options.project};
    kinds_build(&f->names, l->rules->api, &kinds, a, &f->kinds);
    file__index(f);
    file__facts(f, is_fragment);
    return true;
}

static void forget_file(struct linter *l)
{
    arena_reset(&l->arena);
    arena_reset(&l->scratch);
    /* a path that another file left behind would make a name of this one look known */
    paths_trim(l->rules->paths, l->n_paths);
    py_parser_trim(l->rules->parser, l->n_words, l->n_words + NEW_WORDS_MAX);
}

static bool overlaps(const struct finding *a, const struct finding *b)
{
    bool a_in_b = a->span.start >= b->span.start && a->span.end <= b->span.end;
    bool b_in_a = b->span.start >= a->span.start && b->span.end <= a->span.end;
    return a_in_b || b_in_a;
}

static bool supersedes(const struct rule_set *rules, const struct finding *a,
                       const struct finding *b)
{
    const struct rule *r = rule_find(rules, a->code);
    for (size_t i = 0; r && i < r->n_supersedes; i++)
        if (str_eq(r->supersedes[i], b->code))
            return overlaps(a, b);
    return false;
}

/* Takes out what is silenced, below the confidence, or told better by another rule. */
static void keep_findings(struct linter *l, struct checker *k, struct suppressions *s)
{
    size_t n = 0;
    for (size_t i = 0; i < k->findings.n; i++) {
        struct finding *f = &k->findings.at[i];
        bool silent = suppress__is_silent(s, f, l->options.ignore_noqa);
        if (!silent && f->confidence >= l->options.min_confidence)
            k->findings.at[n++] = *f;
    }
    k->findings.n = n;
    n = 0;
    for (size_t i = 0; i < k->findings.n; i++) {
        bool gone = false;
        for (size_t other = 0; other < k->findings.n && !gone; other++)
            gone = supersedes(l->rules, &k->findings.at[other], &k->findings.at[i]);
        k->findings.at[i].is_note = gone;
    }
    for (size_t i = 0; i < k->findings.n; i++)
        if (!k->findings.at[i].is_note)
            k->findings.at[n++] = k->findings.at[i];
    k->findings.n = n;
}

static void add_damage(struct linter *l, struct lint_file *f, struct arena *a,
                       struct file_report *out)
{
    const struct rule *rule = rule_find(l->rules, STR("SB901"));
    for (size_t i = 0; i < f->tree.damage.n; i++) {
        struct span span = f->tree.damage.at[i];
        struct finding one = {.message = STR("assay could not read this"), .is_note = true};
        struct str line;
        one.span = span;
        one.start = source_place(&f->source, span.start);
        one.end = source_place(&f->source, span.end);
        one.first_line = source_line_of(&f->source, span.start);
        one.last_line = source_line_of(&f->source, span.end);
        line = source_line(&f->source, one.first_line);
        one.line_text = (struct str){str_dup(a, line), line.n};
        one.context = one.line_text;
        add_builtin(out, rule, one, a);
    }
}

static void run_rules(struct linter *l, struct lint_file *f, struct arena *a,
                      struct file_report *out)
{
    struct suppressions s = {0};
    struct checker k = {.file = f, .arena = a, .min_confidence = l->options.min_confidence};
    size_t n;
    const struct rule *rules = rule_list(l->rules, &n);
    suppress__read(f, a, &s);
    if (s.codes.n) /* what is silenced may be of any confidence */
        k.min_confidence = CONFIDENCE_LOW;
    for (size_t i = 0; i < n; i++)
        if (!rules[i].is_builtin_code &&
            selection_has_in(l->options.selection, &rules[i], f->source.path))
            check__run(&k, &rules[i]);
    keep_findings(l, &k, &s);
    suppress__judge(&s, &k, l->options.selection, l->options.ignore_noqa);
    out->findings = k.findings.at;
    out->n = k.findings.n;
}

static void write_summary(struct linter *l, struct lint_file *f, struct strbuf *out)
{
    struct file_summary summary;
    summary_build(&f->kinds, f->arena, &summary);
    summary_write(&summary, l->rules->paths, l->rules->parser, out);
}

void linter_run_and_summarise(struct linter *l, const struct lint_input *in, struct arena *a,
                              struct file_report *out, struct strbuf *summary)
{
    struct lint_file f;
    struct err e = {0};
    *out = (struct file_report){.is_notebook = in->is_notebook};
    out->path = (struct str){str_dup(a, in->path), in->path.n};
    if (!passes_prefilter(l, in)) {
        if (summary)
            linter_summarise(l, in, summary);
        return;
    }
    out->is_analysed = true;
    if (!read_file(l, in, &f, &e)) {
        fail_file(l->rules, in->path, e.text, a, out);
        forget_file(l);
        return;
    }
    run_rules(l, &f, a, out);
    if (l->options.with_notes)
        add_damage(l, &f, a, out);
    if (out->n > 1)
        qsort(out->findings, out->n, sizeof *out->findings, finding_compare);
    if (summary)
        write_summary(l, &f, summary);
    forget_file(l);
}

void linter_run(struct linter *l, const struct lint_input *in, struct arena *a,
                struct file_report *out)
{
    linter_run_and_summarise(l, in, a, out, NULL);
}

void linter_summarise(struct linter *l, const struct lint_input *in, struct strbuf *summary)
{
    struct lint_file f;
    struct err e = {0};
    if (read_file(l, in, &f, &e))
        write_summary(l, &f, summary);
    forget_file(l);
}

/* ---- fixes ---- */

static bool is_wanted(const struct linter *l, const struct finding *f, const struct fix_options *o)
{
    const struct rule *rule = rule_find(l->rules, f->code);
    return f->fix.safety == SAFETY_SAFE || (f->fix.safety == SAFETY_UNSAFE && o->unsafe)
               ? rule && selection_can_fix(o->fixable, rule)
               : false;
}

/* Damage of a text, in bytes: a fix must not make it more. */
static size_t damage_of(struct linter *l, const struct lint_input *in)
{
    struct lint_file f;
    struct err e = {0};
    size_t n = SIZE_MAX;
    if (read_file(l, in, &f, &e)) {
        n = 0;
        for (size_t i = 0; i < f.tree.damage.n; i++)
            n += f.tree.damage.at[i].end - f.tree.damage.at[i].start + 1;
    }
    forget_file(l);
    return n;
}

static bool apply(const struct file_report *r, const struct lint_input *in, struct linter *l,
                  const struct fix_options *o, struct arena *a, struct str *out,
                  uint32_t *n_applied, struct err *e)
{
    struct edit_set set = {0};
    uint32_t group = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        if (!is_wanted(l, f, o))
            continue;
        for (uint32_t k = 0; k < f->fix.n_edits; k++)
            edit_add(&set, a, f->fix.edits[k].start, f->fix.edits[k].end, f->fix.edits[k].text,
                     group);
        group++;
    }
    *n_applied = 0;
    if (group && in->is_notebook) {
        struct source s;
        struct source_limits limits = {.max_bytes = l->options.max_file_size};
        struct source_input file = {in->path, in->bytes, SOURCE_NOTEBOOK};
        return source_open(&file, &limits, a, &s, e) &&
               fix__notebook(&s, &set, a, out, n_applied, e);
    }
    struct edit_result done = edit_apply(&set, in->bytes, a);
    *n_applied = done.n_applied;
    *out = done.text;
    return true;
}

bool linter_fix(struct linter *l, const struct lint_input *in, const struct fix_options *o,
                struct arena *a, struct str *out, uint32_t *n_applied, struct file_report *left,
                struct err *e)
{
    struct lint_input now = *in;
    *n_applied = 0;
    linter_run(l, &now, a, left);
    *out = in->bytes;
    size_t damage = left->n ? damage_of(l, &now) : 0;
    for (int round = 0; round < FIX_ROUNDS_MAX; round++) {
        uint32_t n = 0;
        struct lint_input next = now;
        if (!apply(left, &now, l, o, a, &next.bytes, &n, e))
            return err_wrap(e, STR_FMT, STR_ARG(in->path));
        if (n == 0)
            break;
        if (damage_of(l, &next) > damage)
            return err_set(e, ERR_INTERNAL,
                           STR_FMT ": a fix would break the syntax; left as it was",
                           STR_ARG(in->path));
        now = next;
        *n_applied += n;
        *out = now.bytes;
        linter_run(l, &now, a, left);
    }
    return true;
}

/* ---- layers as text ---- */

bool linter_dump(struct linter *l, const struct lint_input *in, struct str layer, struct arena *a,
                 struct strbuf *out, struct err *e)
{
    struct lint_file f;
    struct file_summary summary;
    (void)a;
    if (!read_file(l, in, &f, e)) {
        forget_file(l);
        return err_wrap(e, STR_FMT, STR_ARG(in->path));
    }
    bool ok = true;
    if (str_is(layer, "tree")) {
        tree_dump(&f.tree, out);
    } else if (str_is(layer, "names")) {
        names_dump(&f.names, out);
    } else if (str_is(layer, "kinds")) {
        kinds_dump(&f.kinds, out);
    } else if (str_is(layer, "cfg") || str_is(layer, "defuse")) {
        for (uint32_t s = 0; s < f.names.n_scopes; s++) {
            const struct cfg *cfg = file__flow_scope_up(&f, s) == s ? kinds_cfg(&f.kinds, s) : NULL;
            if (cfg && str_is(layer, "cfg"))
                cfg_dump(cfg, out);
            else if (cfg)
                flow_dump(kinds_flow(&f.kinds, s), out);
        }
    } else if (str_is(layer, "summaries")) {
        summary_build(&f.kinds, f.arena, &summary);
        summary_dump(&summary, l->rules->paths, l->rules->parser, out);
    } else {
        ok = err_set(e, ERR_USAGE, "--dump: tree, names, kinds, cfg, defuse or summaries");
    }
    forget_file(l);
    return ok;
}
