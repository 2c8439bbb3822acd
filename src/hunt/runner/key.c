/* Decides how a campaign reads and changes the fields of a key's text. Knows the order of the
 * fields, and nothing of how they come about. */
#include "hunt/runner/key.h"

#include "base/compiler.h"

/* Places of fields by class. pass: of the optimiser in the key of a bug; a key without that field
 * gets it at the end. dtype: dropped where an optimiser is known, since a kernel depends on it and
 * a rewrite rarely does. */
struct layout {
    const char *class;
    int mode, pass, culprit, kind, dtype; /* -1: none */
};

static const struct layout layouts[] = {
    {"wrong-result|", 5, 7, 3, 6, 4},
    {"wrong-exception|", 5, 6, 7, -1, -1},
    {"native-crash|", 5, 6, 7, -1, -1},
    {"resource|", 3, 6, 5, -1, -1},
};

static const struct layout *layout_of(struct str key)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        if (str_starts(key, str_of(layouts[i].class)))
            return &layouts[i];
    return NULL;
}

/* The field without "@libengine+0x1b" at its end. */
static struct str without_detail(struct str field)
{
    return str_sub(field, 0, str_find_byte(field, '@'));
}

static struct str with_place(struct str key, struct str mode, struct str pass, bool keeps_dtype,
                             struct arena *a)
{
    const struct layout *l = layout_of(key);
    struct strbuf out = {0};
    struct str rest = key, field;
    int i;
    for (i = 0; str_split(&rest, '|', &field); i++) {
        bool is_mode = l && i == l->mode && mode.n > 0, is_pass = l && i == l->pass && pass.n > 0;
        bool is_dropped = l && i == l->dtype && pass.n > 0 && !keeps_dtype;
        strbuf_adds(&out, i ? "|" : "");
        if (!is_dropped)
            strbuf_addstr(&out, is_mode ? mode : is_pass ? pass : without_detail(field));
    }
    if (l && i == l->pass && pass.n > 0)
        strbuf_printf(&out, "|" STR_FMT, STR_ARG(pass));
    struct str final = strbuf_dup(&out, a);
    strbuf_done(&out);
    return final;
}

struct str key_final(struct str key, struct str mode, struct str pass, struct arena *a)
{
    return with_place(key, mode, pass, false, a);
}

struct str key_of_rules_5(struct str key, struct str mode, struct str pass, struct arena *a)
{
    return with_place(key, mode, pass, true, a);
}

struct str key_of_rules_4(struct str key, struct arena *a)
{
    const struct layout *l = layout_of(key);
    struct strbuf out = {0};
    struct str rest = key, field, producer;
    for (int i = 0; str_split(&rest, '|', &field); i++) {
        size_t head = str_find_byte(field, '<');
        strbuf_adds(&out, i ? "|" : "");
        if (!l || i != l->culprit || head == field.n) {
            strbuf_addstr(&out, field);
            continue;
        }
        strbuf_addstr(&out, str_sub(field, 0, head + 1));
        struct str producers = str_sub(field, head + 1, field.n);
        for (bool is_first = true; str_split(&producers, ',', &producer); is_first = false) {
            size_t colon = str_find_byte(producer, ':');
            strbuf_adds(&out, is_first ? "" : ",");
            strbuf_addstr(&out,
                          colon < producer.n ? str_sub(producer, colon + 1, producer.n) : producer);
        }
    }
    struct str old = strbuf_dup(&out, a);
    strbuf_done(&out);
    return old;
}

/* Before version 4 the key of a crash had no level, offsets among its frames, and a template only
 * if that was not empty; the key of a refusal had no operators around the place. */
struct str key_of_rules_3(struct str key, struct str detail, struct arena *a)
{
    const struct layout *l = layout_of(key);
    bool is_crash = str_starts(key, STR("native-crash|"));
    struct str fields[8] = {{0}}, rest = key;
    struct strbuf out = {0};
    size_t n = 0;
    while (n < COUNT_OF(fields) && str_split(&rest, '|', &fields[n]))
        n++;
    if (!l || n < COUNT_OF(fields) || l->pass != 6) {
        struct str same = key_final(key, (struct str){0}, (struct str){0}, a);
        return same;
    }
    struct str culprit = without_detail(fields[7]), frames = detail.n ? detail : fields[4];
    strbuf_printf(&out, STR_FMT "|" STR_FMT "|" STR_FMT, STR_ARG(fields[0]), STR_ARG(fields[1]),
                  STR_ARG(fields[2]));
    if (is_crash) {
        strbuf_printf(&out, "|" STR_FMT, STR_ARG(frames));
        if (fields[3].n)
            strbuf_printf(&out, "|" STR_FMT, STR_ARG(fields[3]));
        strbuf_printf(&out, "|" STR_FMT, STR_ARG(culprit));
    } else {
        strbuf_printf(&out, "|" STR_FMT "|" STR_FMT "|" STR_FMT "|" STR_FMT, STR_ARG(fields[3]),
                      STR_ARG(fields[4]), STR_ARG(fields[5]), STR_ARG(culprit));
    }
    struct str old = strbuf_dup(&out, a);
    strbuf_done(&out);
    return old;
}

bool key_is_steady(struct str key)
{
    return !str_starts(key, STR("resource|")) && str_find(key, STR("|nondeterminism|")) == key.n;
}

static const char doubt[] = "|needs-second-opinion";

struct str key_put_in_doubt(struct str key, struct arena *a)
{
    return str_of(arena_printf(a, STR_FMT "%s", STR_ARG(key), doubt));
}

struct str key_without_doubt(struct str key)
{
    size_t n = sizeof doubt - 1;
    return str_ends(key, str_of(doubt)) ? str_sub(key, 0, key.n - n) : key;
}

static size_t count_words(struct str text)
{
    struct str rest = text, word;
    size_t n = 0;
    while (str_split(&rest, ' ', &word))
        n += word.n > 0;
    return n;
}

bool key_words_are_alike(struct str text, struct str other)
{
    struct str rest = text, word;
    size_t n_both = 0;
    while (str_split(&rest, ' ', &word))
        n_both += word.n > 0 && str_has_part(other, ' ', word);
    return 2 * n_both >= count_words(text) + count_words(other) - n_both;
}

bool key_is_alike(struct str portable, struct str other, bool same_output)
{
    enum { CLASS, FAMILY, OPERATORS, DTYPE, KIND, MESSAGE };
    struct str rest = portable, rest_of_other = other, x, y;
    bool is_refusal = str_starts(portable, STR("wrong-exception|"));
    bool is_value = str_starts(portable, STR("wrong-result|")) && same_output;
    if (str_eq(portable, other))
        return true;
    if (!is_refusal && !is_value)
        return false;
    for (int i = CLASS; i < MESSAGE; i++)
        if (!str_split(&rest, '|', &x) || !str_split(&rest_of_other, '|', &y) ||
            (i != (is_refusal ? KIND : OPERATORS) && !str_eq(x, y)))
            return false;
    return is_value || key_words_are_alike(rest, rest_of_other);
}

/* The part of a field before this byte, or all of it. */
static struct str before(struct str field, char end)
{
    return str_sub(field, 0, str_find_byte(field, end));
}

/* Without the size of an error; of the culprit its head, or, without the place, neither culprit nor
 * mode. */
static struct str shortened(struct str key, bool keeps_place, struct arena *a)
{
    const struct layout *l = layout_of(key);
    struct strbuf out = {0};
    struct str rest = key, field;
    for (int i = 0; str_split(&rest, '|', &field); i++) {
        bool is_culprit = l && i == l->culprit, is_mode = l && i == l->mode;
        strbuf_adds(&out, i ? "|" : "");
        if (keeps_place || !(is_culprit || is_mode))
            strbuf_addstr(&out, is_culprit          ? before(before(field, '@'), '<')
                                : l && i == l->kind ? before(field, ' ')
                                                    : field);
    }
    struct str text = strbuf_dup(&out, a);
    strbuf_done(&out);
    return text;
}

struct str key_coarse(struct str key, struct arena *a)
{
    return shortened(key, true, a);
}

struct str key_by_design(struct str key, struct arena *a)
{
    return shortened(key, false, a);
}
