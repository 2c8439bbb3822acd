/*
 * From the bytes of one file to its report: source, tree, names, types, rules, suppressions, order.
 *
 * Knows neither files on disk nor settings. Invariant: words and paths beyond those of rules and
 * project are forgotten between files once they are many.
 */
#include "lint/lint.h"

#include "lint/fix_p.h"
#include "lint/prefilter_p.h"
#include "lint/rule_p.h"
#include "lint/suppress_p.h"

enum { NEW_WORDS_MAX = 20000, FIX_ROUNDS_MAX = 10, ALIASES_MAX = 256 };

struct linter {
    struct rule_set *rules;
    struct lint_options options;
    struct arena arena, scratch; /* of the file at hand */
    size_t n_words, n_paths;     /* those of rules and project, never forgotten */
};

/* Where an imported path leads in the project: through its name there, then through re-exports. */
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
    bool is_utf16 = memchr(in->bytes.at, '\0', in->bytes.n) != NULL; /* names in it are not found */
    return is_utf16 || !has_text(in->bytes, "import");
}

/* Adds a finding that no rule's check makes: SB901, SB902. */
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
    struct str text = str_of(why);
    if (str_starts(text, path) && str_starts(str_sub(text, path.n, text.n), STR(": ")))
        text = str_sub(text, path.n + 2, text.n); /* the report names the file already */
    struct finding f = {.message = {str_dup(a, text), text.n}};
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

/* The path with its longest part that has another name in the project under that name. */
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
                            .torch_version = l->options.torch_version,
                            .taken = in->taken,
                            .n_taken = in->n_taken,
                            .is_taken_whole = in->is_taken_whole};
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
    struct types_options types = {.is_fragment = is_fragment, .project = l->options.project};
    types_build(&f->names, l->rules->api, &types, a, &f->types);
    file__index(f);
    prefilter__index_file(f);
    file__facts(f, is_fragment);
    return true;
}

static void forget_file(struct linter *l)
{
    arena_reset(&l->arena);
    arena_reset(&l->scratch);
    /* a path left from another file would make a name of this one look known */
    paths_trim(l->rules->paths, l->n_paths);
    py_parser_trim(l->rules->parser, l->n_words, l->n_words + NEW_WORDS_MAX);
}

/* The spans of one rule's findings, ascending by start, so that those within or around another are
 * found by bisection. */
struct superseders {
    struct span *spans;
    uint32_t *furthest; /* the largest end up to here */
    uint32_t *nearest;  /* the smallest end from here on */
    size_t n;
};

static int compare_spans(const void *x, const void *y)
{
    const struct span *a = x, *b = y;
    return (a->start > b->start) - (a->start < b->start);
}

static struct superseders superseders_of(const struct checker *k, const struct rule *rule,
                                         struct arena *work)
{
    struct superseders s = {.spans = arena_new_array(work, struct span, k->findings.n)};
    for (size_t i = 0; i < k->findings.n; i++)
        if (str_eq(k->findings.at[i].code, rule->code))
            s.spans[s.n++] = k->findings.at[i].span;
    if (!s.n)
        return s;
    qsort(s.spans, s.n, sizeof *s.spans, compare_spans);
    s.furthest = arena_new_array(work, uint32_t, s.n);
    s.nearest = arena_new_array(work, uint32_t, s.n);
    for (size_t i = 0; i < s.n; i++)
        s.furthest[i] = i ? MAX(s.furthest[i - 1], s.spans[i].end) : s.spans[i].end;
    for (size_t i = s.n; i-- > 0;)
        s.nearest[i] = i + 1 < s.n ? MIN(s.nearest[i + 1], s.spans[i].end) : s.spans[i].end;
    return s;
}

/* How many spans begin before `at`. */
static size_t n_before(const struct superseders *s, uint32_t at)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->spans[middle].start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Does a span lie within this one, or around it? */
static bool has_overlap(const struct superseders *s, struct span span)
{
    size_t inner = n_before(s, span.start), outer = n_before(s, span.start + 1);
    bool within = inner < s->n && s->nearest[inner] <= span.end;
    bool around = outer > 0 && s->furthest[outer - 1] >= span.end;
    return within || around;
}

/* Makes a note of each finding that another rule's finding replaces. */
static void mark_superseded(struct linter *l, struct checker *k)
{
    struct arena_mark mark = arena_mark(&l->scratch);
    size_t n_rules;
    const struct rule *rules = rule_list(l->rules, &n_rules);
    for (size_t i = 0; i < k->findings.n; i++)
        k->findings.at[i].is_note = false;
    for (size_t r = 0; r < n_rules; r++) {
        if (!rules[r].n_supersedes)
            continue;
        struct superseders s = superseders_of(k, &rules[r], &l->scratch);
        for (size_t i = 0; s.n && i < k->findings.n; i++)
            for (size_t c = 0; c < rules[r].n_supersedes; c++)
                if (str_eq(rules[r].supersedes[c], k->findings.at[i].code) &&
                    has_overlap(&s, k->findings.at[i].span))
                    k->findings.at[i].is_note = true;
    }
    arena_return(&l->scratch, mark);
}

/* Drops findings that are suppressed, below the confidence, or replaced by another rule's. */
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
    mark_superseded(l, k);
    for (size_t i = 0; i < k->findings.n; i++)
        if (!k->findings.at[i].is_note)
            k->findings.at[n++] = k->findings.at[i];
    k->findings.n = n;
}

static void add_unread(struct linter *l, struct lint_file *f, struct span span, const char *message,
                       struct arena *a, struct file_report *out)
{
    struct finding one = {.message = str_of(message), .is_note = true};
    check__place_span(f, span, &one, a);
    add_builtin(out, rule_find(l->rules, STR("SB901")), one, a);
}

static void add_damage(struct linter *l, struct lint_file *f, struct arena *a,
                       struct file_report *out)
{
    struct span invalid;
    bool is_invalid = source_find_invalid(&f->source, &invalid);
    out->is_damaged = f->tree.damage.n || is_invalid;
    if (!l->options.with_notes)
        return;
    for (size_t i = 0; i < f->tree.damage.n; i++)
        add_unread(l, f, f->tree.damage.at[i], "assay could not read this", a, out);
    if (is_invalid)
        add_unread(l, f, invalid, "this byte is no UTF-8, and no coding is declared", a, out);
}

static void run_rules(struct linter *l, struct lint_file *f, struct arena *a,
                      struct file_report *out)
{
    struct suppressions s = {0};
    struct checker k = {.file = f, .arena = a, .min_confidence = l->options.min_confidence};
    size_t n;
    const struct rule *rules = rule_list(l->rules, &n);
    suppress__read(f, a, &s);
    if (s.codes.n) /* a suppression may silence findings of any confidence */
        k.min_confidence = CONFIDENCE_LOW;
    for (size_t i = 0; i < n; i++)
        if (!rules[i].is_builtin_code && names_spend(&f->names, 0) &&
            selection_has_in(l->options.selection, &rules[i], f->source.path))
            check__run(&k, &rules[i]);
    keep_findings(l, &k, &s);
    suppress__judge(&s, &k, l->options.selection, l->options.ignore_noqa);
    out->findings = k.findings.at;
    out->n = k.findings.n;
}

/* Was the whole file analysed within its budget? */
static bool is_within_budget(const struct lint_file *f, struct err *e)
{
    uint64_t n_bytes = arena_bytes(f->arena), max_bytes = f->source.limits.max_arena;
    if (n_bytes > max_bytes)
        return err_set(e, ERR_LIMIT, "not analysed: it takes more than %llu MiB of memory",
                       (unsigned long long)max_bytes >> 20);
    return names_spend(&f->names, 0) ||
           err_set(e, ERR_LIMIT, "not analysed: it takes more than %d steps", NAMES_WORK_MAX);
}

static void write_summary(struct linter *l, struct lint_file *f, struct strbuf *out)
{
    struct file_summary summary;
    summary_build(&f->types, f->arena, &summary);
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
    if (!is_within_budget(&f, &e)) {
        fail_file(l->rules, in->path, e.text, a, out);
        forget_file(l);
        return;
    }
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

/* Keeps findings that the other report has at the same place. */
static void keep_only(struct file_report *r, const struct file_report *only)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < only->n; k++)
            if (str_eq(r->findings[i].code, only->findings[k].code) &&
                r->findings[i].span.start == only->findings[k].span.start &&
                r->findings[i].span.end == only->findings[k].span.end) {
                r->findings[n++] = r->findings[i];
                break;
            }
    r->n = n;
}

/* How many bytes of a text could not be parsed: a fix must not make it more. */
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

/* One round of fixing: which findings of a report are fixed, by index. */
struct fix_round {
    struct linter *linter;
    const struct lint_input *in;
    const struct file_report *report;
    struct arena *arena;
    size_t damage;  /* damage_of the text before */
    bool *chosen;   /* fixes to make */
    bool *refused;  /* fixes that would break the syntax */
    bool *applied;  /* in the last text: those that overlap no other */
    struct str out; /* the last text */
};

/* The text with the chosen fixes. */
static bool apply_chosen(struct fix_round *x, struct err *e)
{
    struct edit_set set = {0};
    struct edit_result done;
    for (uint32_t i = 0; i < x->report->n; i++) {
        const struct finding_fix *fix = &x->report->findings[i].fix;
        for (uint32_t k = 0; x->chosen[i] && k < fix->n_edits; k++)
            edit_add(&set, x->arena, fix->edits[k].start, fix->edits[k].end, fix->edits[k].text, i);
    }
    if (set.edits.n && x->in->is_notebook) {
        struct source s;
        struct source_limits limits = {.max_bytes = x->linter->options.max_file_size};
        struct source_input file = {x->in->path, x->in->bytes, SOURCE_NOTEBOOK};
        if (!source_open(&file, &limits, x->arena, &s, e) ||
            !fix__notebook(&s, &set, x->arena, &done, e))
            return false;
    } else {
        done = edit_apply(&set, x->in->bytes, x->arena);
    }
    for (uint32_t i = 0; i < x->report->n; i++)
        x->applied[i] = i < done.n_groups && done.applied[i];
    x->out = done.text;
    return true;
}

static bool parses_as_before(struct fix_round *x)
{
    struct lint_input next = *x->in;
    next.bytes = x->out;
    return damage_of(x->linter, &next) <= x->damage;
}

/* Adds the fixes by bisection: one that alone breaks the syntax is refused, all others are kept. */
static bool choose_by_halves(struct fix_round *x, struct err *e)
{
    struct range {
        size_t from, to;
    };
    VEC(struct range) left = {0};
    size_t n = 0, *wanted = arena_new_array(x->arena, size_t, x->report->n);
    for (size_t i = 0; i < x->report->n; i++) {
        if (x->chosen[i])
            wanted[n++] = i;
        x->chosen[i] = false;
    }
    vec_push(&left, x->arena, (struct range){0, n});
    while (left.n) {
        struct range r = vec_pop(&left);
        for (size_t i = r.from; i < r.to; i++)
            x->chosen[wanted[i]] = true;
        if (!apply_chosen(x, e))
            return false;
        if (parses_as_before(x))
            continue;
        for (size_t i = r.from; i < r.to; i++)
            x->chosen[wanted[i]] = false;
        size_t middle = r.from + (r.to - r.from) / 2;
        if (r.to - r.from == 1) {
            x->refused[wanted[r.from]] = true;
            continue;
        }
        vec_push(&left, x->arena, (struct range){middle, r.to});
        vec_push(&left, x->arena, (struct range){r.from, middle});
    }
    return apply_chosen(x, e);
}

static bool fix_round(struct fix_round *x, const struct fix_options *o, struct err *e)
{
    x->chosen = arena_new_array(x->arena, bool, x->report->n);
    x->refused = arena_new_array(x->arena, bool, x->report->n);
    x->applied = arena_new_array(x->arena, bool, x->report->n);
    for (size_t i = 0; i < x->report->n; i++)
        x->chosen[i] = is_wanted(x->linter, &x->report->findings[i], o);
    return apply_chosen(x, e) && (parses_as_before(x) || choose_by_halves(x, e));
}

struct tallies {
    VEC(struct fix_tally) list;
};

/* Adds the applied fixes to the tallies and returns how many there were. */
static uint32_t count_fixes(const struct fix_round *x, struct tallies *t)
{
    uint32_t n = 0;
    for (size_t i = 0; i < x->report->n; i++) {
        const struct finding *f = &x->report->findings[i];
        size_t at = 0;
        if (!x->applied[i])
            continue;
        while (at < t->list.n && !str_eq(t->list.at[at].code, f->code))
            at++;
        if (at == t->list.n)
            vec_push(&t->list, x->arena, (struct fix_tally){f->code, f->name, 0});
        t->list.at[at].n++;
        n++;
    }
    return n;
}

/* Takes refused fixes off the findings that are left. */
static uint32_t take_refused(const struct fix_round *x, struct file_report *r)
{
    uint32_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        n += x->refused[i];
        if (x->refused[i])
            r->findings[i].fix.safety = SAFETY_NONE;
    }
    return n;
}

bool linter_fix(struct linter *l, const struct lint_input *in, const struct fix_options *o,
                struct arena *a, struct str *out, uint32_t *n_applied, struct file_report *left,
                struct err *e)
{
    struct lint_input now = *in;
    struct tallies tallies = {0};
    uint32_t n_refused = 0;
    *n_applied = 0;
    linter_run(l, &now, a, left);
    if (o->only)
        keep_only(left, o->only);
    size_t damage = left->n ? damage_of(l, &now) : 0;
    for (int round = 0; round < (o->only ? 1 : FIX_ROUNDS_MAX) && left->n; round++) {
        struct fix_round x = {l, &now, left, a, damage, NULL, NULL, NULL, {0}};
        if (!fix_round(&x, o, e))
            return err_wrap(e, STR_FMT, STR_ARG(in->path));
        n_refused = take_refused(&x, left);
        uint32_t n = count_fixes(&x, &tallies);
        if (n == 0)
            break;
        now.bytes = x.out;
        *n_applied += n;
        linter_run(l, &now, a, left);
    }
    *out = now.bytes;
    left->fixed = tallies.list.at;
    left->n_fixed_rules = tallies.list.n;
    left->n_refused = n_refused;
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
    } else if (str_is(layer, "types")) {
        types_dump(&f.types, out);
    } else if (str_is(layer, "cfg") || str_is(layer, "defuse")) {
        for (uint32_t s = 0; s < f.names.n_scopes; s++) {
            const struct cfg *cfg = file__flow_scope_up(&f, s) == s ? types_cfg(&f.types, s) : NULL;
            if (cfg && str_is(layer, "cfg"))
                cfg_dump(cfg, out);
            else if (cfg)
                flow_dump(types_flow(&f.types, s), out);
        }
    } else if (str_is(layer, "summaries")) {
        summary_build(&f.types, f.arena, &summary);
        summary_dump(&summary, l->rules->paths, l->rules->parser, out);
    } else {
        ok =
            err_set(e, ERR_USAGE, "--dump: tree, names, types, cfg, defuse, summaries or contexts");
    }
    forget_file(l);
    return ok;
}
