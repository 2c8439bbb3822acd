/*
 * Reads the file of known defects and says which bugs it names. It must not know the date, the
 * store or its callers. Versions are compared by the numbers of their release: "2.13.0.dev1+cpu"
 * counts as 2.13, because "<2.13" is to exclude the development versions of 2.13.
 */
#include "hunt/known.h"

#include "base/compiler.h"
#include "base/toml.h"
#include "base/vec.h"
#include "target/target.h"

struct known_operator {
    const char *text;
    bool fits[3]; /* version less, equal, greater */
};

struct known_comparison {
    const struct known_operator *op;
    struct str version; /* as release_of gives it */
};

/* Longer operators come before those that they begin with. */
static const struct known_operator operators[] = {{"<=", {true, true, false}},
                                                  {">=", {false, true, true}},
                                                  {"==", {false, true, false}},
                                                  {"<", {true, false, false}},
                                                  {">", {false, false, true}}};

static const char *const keys[] = {"key",     "target", "class",   "ops",
                                   "version", "reason", "expires", "url"};

struct reader {
    const char *name;
    struct str today;
    struct arena *arena;
    struct err *err;
};

/* ---- versions ---- */

/* The release's numbers: "2.13.0.dev1+cpu" gives "2.13", so that 2.13 and 2.13.0 are one. */
static struct str release_of(struct str version)
{
    struct str out = {version.at, 0};
    while (out.n < version.n && (str_is_digit(version.at[out.n]) || version.at[out.n] == '.'))
        out.n++;
    for (;;) {
        if (str_ends(out, STR(".")))
            out.n--;
        else if (str_ends(out, STR(".0")))
            out.n -= 2;
        else
            return out;
    }
}

/* Digits with single dots between them. */
static bool is_release(struct str text)
{
    struct str part;
    while (str_split(&text, '.', &part)) {
        for (size_t i = 0; i < part.n; i++)
            if (!str_is_digit(part.at[i]))
                return false;
        if (part.n == 0)
            return false;
    }
    return true;
}

static bool read_comparison(struct str part, struct known_comparison *out)
{
    for (size_t i = 0; i < COUNT_OF(operators); i++) {
        struct str op = str_of(operators[i].text);
        struct str version = str_trim(str_sub(part, op.n, part.n));
        if (!str_starts(part, op))
            continue;
        *out = (struct known_comparison){&operators[i], release_of(version)};
        return is_release(version);
    }
    return false;
}

static bool read_range(struct reader *r, struct str text, uint32_t line, struct known_entry *out)
{
    VEC(struct known_comparison) list = {0};
    struct str rest = text, part;
    while (str_split(&rest, ',', &part)) {
        struct known_comparison one;
        if (!read_comparison(str_trim(part), &one))
            return err_set(r->err, ERR_USAGE,
                           "%s:%u: \"version\": comparisons with <, <=, ==, >= or > are expected, "
                           "such as \">=1.20,<1.33\", got \"" STR_FMT "\"",
                           r->name, line, STR_ARG(text));
        vec_push(&list, r->arena, one);
    }
    out->version = list.at;
    out->n_version = list.n;
    return true;
}

static bool version_fits(const struct known_entry *entry, struct str version)
{
    struct str release = release_of(version);
    for (size_t i = 0; i < entry->n_version; i++) {
        const struct known_comparison *c = &entry->version[i];
        if (!release.n || !c->op->fits[1 + target_version_compare(release, c->version)])
            return false;
    }
    return true;
}

/* ---- reading ---- */

static bool number_of(struct str digits, int64_t *out)
{
    return str_is_digit(digits.at[0]) && str_to_i64(digits, out);
}

/* Is it like "2027-01-31", and a day of the Gregorian calendar? */
static bool is_date(struct str s)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year, month, day;
    if (s.n != 10 || s.at[4] != '-' || s.at[7] != '-' || !number_of(str_sub(s, 0, 4), &year) ||
        !number_of(str_sub(s, 5, 7), &month) || !number_of(str_sub(s, 8, 10), &day))
        return false;
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && is_leap);
}

/* The text of a key; absent: empty. */
static bool read_text(struct reader *r, const struct json *table, const char *key, struct str *out)
{
    const struct json *v = json_get(table, key);
    *out = v && v->kind == JSON_KIND_STRING ? str_trim(v->string) : STR("");
    return !v || out->n ||
           err_set(r->err, ERR_USAGE, "%s:%u: \"%s\": a text in quotes is expected, got %s",
                   r->name, v->line, key,
                   v->kind == JSON_KIND_STRING ? "an empty one" : json_kind_name(v->kind));
}

/* Checks that an entry has either a key or a pattern of at least one field. */
static bool check_naming(struct reader *r, const struct known_entry *x)
{
    bool is_pattern = x->target.n || x->class.n || x->ops.n;
    if (x->key.n && is_pattern)
        return err_set(r->err, ERR_USAGE,
                       "%s:%u: either \"key\" or a pattern of \"target\", \"class\" and \"ops\" is "
                       "expected, got both: leave one out",
                       r->name, x->line);
    return x->key.n || is_pattern ||
           err_set(r->err, ERR_USAGE,
                   "%s:%u: the entry names no bug: give its \"key\" (id or key of `assay bugs "
                   "--json`), or a pattern of \"target\", \"class\" and \"ops\"",
                   r->name, x->line);
}

static bool check_keys(struct reader *r, const struct json *table)
{
    for (size_t i = 0; i < table->n; i++) {
        size_t k = 0;
        while (k < COUNT_OF(keys) && !str_is(table->keys[i], keys[k]))
            k++;
        if (k == COUNT_OF(keys))
            return err_set(r->err, ERR_USAGE, "%s:%u: unknown key \"" STR_FMT "\"%s", r->name,
                           table->items[i].line, STR_ARG(table->keys[i]),
                           str_known(table->keys[i], keys, COUNT_OF(keys), r->arena));
    }
    return true;
}

static bool read_entry(struct reader *r, const struct json *table, struct known_entry *out)
{
    struct str range, url;
    *out = (struct known_entry){.line = table->line};
    if (table->kind != JSON_KIND_OBJECT)
        return err_set(r->err, ERR_USAGE,
                       "%s:%u: a table is expected, got %s: begin it by [[known]]", r->name,
                       table->line, json_kind_name(table->kind));
    if (!check_keys(r, table) || !read_text(r, table, "key", &out->key) ||
        !read_text(r, table, "target", &out->target) ||
        !read_text(r, table, "class", &out->class) || !read_text(r, table, "ops", &out->ops) ||
        !read_text(r, table, "version", &range) || !read_text(r, table, "reason", &out->reason) ||
        !read_text(r, table, "expires", &out->expires) || !read_text(r, table, "url", &url) ||
        !check_naming(r, out))
        return false;
    if (range.n && !read_range(r, range, json_get(table, "version")->line, out))
        return false;
    if (!out->reason.n)
        return err_set(r->err, ERR_USAGE,
                       "%s:%u: the entry lacks its \"reason\": say why the bug may stay", r->name,
                       table->line);
    if (out->expires.n && !is_date(out->expires))
        return err_set(r->err, ERR_USAGE,
                       "%s:%u: \"expires\": a date such as \"2027-01-31\" is expected, got "
                       "\"" STR_FMT "\"",
                       r->name, json_get(table, "expires")->line, STR_ARG(out->expires));
    if (url.n)
        out->reason = str_of(
            arena_printf(r->arena, STR_FMT " (" STR_FMT ")", STR_ARG(out->reason), STR_ARG(url)));
    out->is_expired = out->expires.n && str_cmp(out->expires, r->today) < 0;
    return true;
}

/* The only key at the top is "known", a list of tables. */
static bool read_top(struct reader *r, const struct json *root, const struct json **list)
{
    static const char *const top[] = {"known"};
    *list = NULL;
    for (size_t i = 0; i < root->n; i++) {
        const struct json *v = &root->items[i];
        if (!str_is(root->keys[i], top[0]))
            return err_set(r->err, ERR_USAGE,
                           "%s:%u: only [[known]] entries are expected, got \"" STR_FMT "\"%s",
                           r->name, v->line, STR_ARG(root->keys[i]),
                           str_known(root->keys[i], top, COUNT_OF(top), r->arena));
        if (v->kind != JSON_KIND_ARRAY)
            return err_set(r->err, ERR_USAGE,
                           "%s:%u: \"known\": a list of entries is expected, got %s: begin each by "
                           "[[known]]",
                           r->name, v->line, json_kind_name(v->kind));
        *list = v;
    }
    return true;
}

bool known_read(struct str text, const char *name, struct str today, struct arena *a,
                struct known_list *out, struct err *e)
{
    struct reader r = {name, today, a, e};
    const struct json *root, *list;
    *out = (struct known_list){.file = name};
    if (!toml_parse(text, name, a, &root, e)) {
        e->code = ERR_USAGE;
        return false;
    }
    if (!read_top(&r, root, &list))
        return false;
    size_t n = list ? list->n : 0;
    struct known_entry *entries = arena_new_array(a, struct known_entry, n);
    for (size_t i = 0; i < n; i++)
        if (!read_entry(&r, &list->items[i], &entries[i]))
            return false;
    out->at = entries;
    out->n = n;
    return true;
}

/* ---- matching ---- */

/* Does the pattern fit the bug's target in one of the ways in which --target may name it? */
static bool target_fits(struct str pattern, const struct store_bug *b)
{
    bool fits = false;
    for (unsigned parts = 0; !fits && parts < 4; parts++) {
        struct strbuf name = {0};
        strbuf_addstr(&name, b->engine);
        if (parts & 1)
            strbuf_printf(&name, "@" STR_FMT, STR_ARG(b->version));
        if (parts & 2)
            strbuf_printf(&name, "/" STR_FMT, STR_ARG(b->mode));
        fits = str_like(strbuf_str(&name), pattern, false);
        strbuf_done(&name);
    }
    return fits;
}

/* The pattern joins operators by "+" ("Pad+MaxPool"), the row by spaces. */
static bool ops_fit(struct str pattern, struct str ops)
{
    struct strbuf name = {0};
    for (size_t i = 0; i < ops.n; i++)
        strbuf_addc(&name, (char)(ops.at[i] == ' ' ? '+' : ops.at[i]));
    bool fits = str_like(strbuf_str(&name), pattern, false);
    strbuf_done(&name);
    return fits;
}

/* Is it the bug's key, id or portable key, or a key or id that earlier rules gave it? */
static bool names_key(struct str key, const struct store_bug *bug)
{
    struct arena a;
    struct str rest = bug->old_key, old;
    bool fits = str_eq(key, bug->key) || str_eq(key, bug->id) ||
                (bug->portable.n && str_eq(key, bug->portable));
    arena_init(&a);
    while (!fits && str_split(&rest, '\n', &old))
        fits = old.n && (str_eq(key, old) || str_eq(key, store_bug_id(old, &a)));
    arena_done(&a);
    return fits;
}

bool known_fits(const struct known_entry *entry, const struct store_bug *bug)
{
    if (entry->key.n && !names_key(entry->key, bug))
        return false;
    return (!entry->target.n || target_fits(entry->target, bug)) &&
           (!entry->class.n || str_like(bug->class, entry->class, false)) &&
           (!entry->ops.n || ops_fit(entry->ops, bug->ops)) && version_fits(entry, bug->version);
}

static const struct known_entry *find_entry(const struct known_list *known,
                                            const struct store_bug *bug)
{
    for (size_t i = 0; i < known->n; i++)
        if (!known->at[i].is_expired && known_fits(&known->at[i], bug))
            return &known->at[i];
    return NULL;
}

void known_mark(const struct known_list *known, struct store_bugs *bugs)
{
    for (size_t i = 0; known && i < bugs->n; i++) {
        struct store_bug *b = &bugs->at[i];
        const struct known_entry *entry = find_entry(known, b);
        if (!entry || !(store_bug_counts(b) || str_is(b->state, "flaky")))
            continue;
        b->state = STR("known");
        b->reason = entry->reason;
    }
}
