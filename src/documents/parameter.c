/*
 * Decides what a docstring states about a parameter. Must not know what a call does with it.
 * Invariant: a fact comes from words of the parameter's own text, which stays with it as the quote.
 */
#include "documents/parameter.h"

#include "base/vec.h"

enum { WORD_MAX = 24, NO_SECTION = -1 };

/* Words ----------------------------------------------------------------------------------------*/

/* Takes the next word off the front of *rest, in lower case. */
static bool next_word(struct str *rest, char word[static WORD_MAX], struct str *own)
{
    size_t i = 0, n = 0;
    while (i < rest->n && !str_is_word(rest->at[i]))
        i++;
    size_t from = i;
    for (; i < rest->n && str_is_word(rest->at[i]); i++) {
        char c = rest->at[i];
        if (n + 1 < WORD_MAX)
            word[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    word[n] = 0;
    *own = str_sub(*rest, from, i);
    *rest = str_sub(*rest, i, rest->n);
    return n > 0;
}

static unsigned kinds_in(struct str text)
{
    static const struct {
        const char *word;
        unsigned kinds;
    } rows[] = {
#define KIND(word, kinds) {word, DOCUMENTED_##kinds},
#define ELEMENT(word, dtype)
#define LEAST(words, value, excluded)
#include "documents/parameter.def"
#undef KIND
#undef ELEMENT
#undef LEAST
    };
    char word[WORD_MAX];
    struct str own;
    unsigned kinds = 0;
    while (next_word(&text, word, &own))
        for (size_t i = 0; i < COUNT_OF(rows); i++)
            if (strcmp(word, rows[i].word) == 0)
                kinds |= rows[i].kinds;
    return kinds;
}

static const char *element_of(const char *word)
{
    static const char *const rows[][2] = {
#define KIND(word, kinds)
#define ELEMENT(word, dtype) {word, dtype},
#define LEAST(words, value, excluded)
#include "documents/parameter.def"
#undef KIND
#undef ELEMENT
#undef LEAST
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(word, rows[i][0]) == 0)
            return rows[i][1];
    return NULL;
}

/* Facts ----------------------------------------------------------------------------------------*/

static struct str sentence_from(struct str text, const char *words)
{
    size_t at = str_find(text, str_of(words));
    if (at >= text.n)
        return STR("");
    struct str rest = str_sub(text, at + strlen(words), text.n);
    return str_sub(rest, 0, str_find(rest, STR(". ")));
}

static void find_dtypes(struct documented_parameter *p)
{
    static const char *const begins[] = {"one of the following types:",
                                         "Supports input of",
                                         "Supports inputs of",
                                         "one of the types:",
                                         "type to be one of",
                                         "an optional tf.DType from:",
                                         "A tf.DType from:"};
    char word[WORD_MAX];
    struct str own;
    for (size_t i = 0; i < COUNT_OF(begins); i++) {
        struct str list = sentence_from(p->text, begins[i]);
        while (next_word(&list, word, &own)) {
            const char *dtype = element_of(word);
            if (dtype && p->n_dtypes < DOCUMENTED_DTYPES_MAX)
                p->dtypes[p->n_dtypes++] = str_of(dtype);
        }
        if (p->n_dtypes)
            return;
    }
}

static struct str other_after(struct str text, const char *const *begins, size_t n)
{
    char word[WORD_MAX];
    struct str own;
    for (size_t i = 0; i < n; i++) {
        struct str rest = sentence_from(text, begins[i]);
        if (next_word(&rest, word, &own))
            return own;
    }
    return STR("");
}

static void find_others(struct documented_parameter *p)
{
    static const char *const types[] = {"same type as", "same dtype as"};
    static const char *const shapes[] = {"same shape as", "same size as"};
    p->same_type = other_after(p->text, types, COUNT_OF(types));
    p->same_shape = other_after(p->text, shapes, COUNT_OF(shapes));
}

/* "in the range [0, 1)", "between 0 and 1", and the words of the table. */
static void find_range(struct documented_parameter *p)
{
    static const struct {
        const char *words;
        double value;
        bool excluded;
    } rows[] = {
#define KIND(word, kinds)
#define ELEMENT(word, dtype)
#define LEAST(words, value, excluded) {words, value, excluded},
#include "documents/parameter.def"
#undef KIND
#undef ELEMENT
#undef LEAST
    };
    static const char *const intervals[] = {"in the range ", "in the interval ", "in range ",
                                            "must be in ",   "Must be in ",      "between "};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_find(p->text, str_of(rows[i].words)) < p->text.n) {
            p->has_low = true;
            p->low = rows[i].value;
            p->excludes_low = rows[i].excluded;
            break;
        }
    for (size_t i = 0; i < COUNT_OF(intervals); i++) {
        char text[48];
        double low, high;
        char open[2] = "[", close[2] = "]";
        struct str rest = sentence_from(p->text, intervals[i]);
        snprintf(text, sizeof text, STR_FMT, STR_ARG(rest));
        bool has_brackets = sscanf(text, " %1[[(]%lf , %lf %1[])]", open, &low, &high, close) == 4;
        bool has_words = !has_brackets && sscanf(text, "%lf and %lf", &low, &high) == 2;
        if (!(has_brackets || has_words) || low >= high)
            continue;
        p->has_low = p->has_high = true;
        p->low = low;
        p->high = high;
        p->excludes_low = has_brackets && open[0] == '(';
        p->excludes_high = has_brackets && close[0] == ')';
        return;
    }
}

static void find_rank(struct documented_parameter *p)
{
    p->rank = -1;
    for (int rank = 0; rank <= 5; rank++) {
        static const char *const forms[][2] = {
            {"", "-D"}, {"", "D "}, {"", "-dimensional"}, {"rank ", ""}};
        for (size_t i = 0; i < COUNT_OF(forms); i++) {
            char words[24];
            snprintf(words, sizeof words, "%s%d%s", forms[i][0], rank, forms[i][1]);
            size_t at = str_find(p->text, str_of(words));
            if (at >= p->text.n || (at && str_is_word(p->text.at[at - 1])))
                continue;
            if (p->rank >= 0 && p->rank != rank) { /* several are allowed */
                p->rank = -1;
                return;
            }
            p->rank = rank;
        }
    }
    static const char *const higher[] = {"or higher", "or more", "at least", "N-D", "or "};
    for (size_t i = 0; i < COUNT_OF(higher); i++)
        if (str_find(p->text, str_of(higher[i])) < p->text.n)
            p->rank = -1;
}

static struct str first_sentence(struct str text)
{
    size_t stop = str_find(text, STR(". ")), second = text.n;
    if (stop < text.n && stop < 30) /* "Input tensor. Must be ..." */
        second = stop + 1 + str_find(str_sub(text, stop + 1, text.n), STR(". "));
    return str_sub(text, 0, MAX(MIN(stop, text.n), MIN(second, text.n)));
}

static void find_facts(struct documented_parameter *p, struct str type)
{
    p->kinds = kinds_in(type.n ? type : first_sentence(p->text));
    if (type.n && str_find(type, STR("optional")) < type.n)
        p->kinds |= p->kinds ? DOCUMENTED_NONE : 0;
    if (str_find_byte(p->text, '"') < p->text.n)
        p->kinds |= p->kinds ? DOCUMENTED_TEXT : 0;
    find_dtypes(p);
    find_others(p);
    find_range(p);
    find_rank(p);
}

/* Lines ----------------------------------------------------------------------------------------*/

static size_t indent_of(struct str line)
{
    size_t n = 0;
    while (n < line.n && line.at[n] == ' ')
        n++;
    return n;
}

static bool opens_section(struct str text)
{
    static const char *const heads[] = {"Args:",         "Arguments:",    "Parameters:",
                                        "Keyword args:", "Keyword Args:", "Keyword arguments:"};
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        if (str_is(text, heads[i]))
            return true;
    return false;
}

static void add_clean(struct str line, struct strbuf *to)
{
    if (to->n)
        strbuf_addc(to, ' ');
    for (size_t i = 0; i < line.n; i++)
        if (line.at[i] != '`' && line.at[i] != '*')
            strbuf_addc(to, line.at[i]);
}

struct reading {
    struct arena *a;
    struct documented_parameters *out;
    struct strbuf text;
    struct str name, type;
};

static void end_parameter(struct reading *r)
{
    if (r->name.n) {
        struct documented_parameter p = {.name = r->name, .text = strbuf_dup(&r->text, r->a)};
        find_facts(&p, r->type);
        vec_push(r->out, r->a, p);
    }
    strbuf_clear(&r->text);
    r->name = r->type = STR("");
}

/* "axis (int, optional): text" or "axis: text"; false: the line begins no parameter. */
static bool begin_parameter(struct reading *r, struct str line)
{
    size_t n = 0, colon;
    while (n < line.n && str_is_word(line.at[n]))
        n++;
    struct str name = str_sub(line, 0, n), rest = str_sub(line, n, line.n), type = STR("");
    if (!name.n)
        return false;
    if (str_starts(rest, STR(" ("))) {
        colon = str_find(rest, STR("):"));
        if (colon >= rest.n)
            return false;
        type = str_sub(rest, 2, colon);
        rest = str_sub(rest, colon + 1, rest.n);
    }
    if (!rest.n || rest.at[0] != ':')
        return false;
    end_parameter(r);
    r->name = name;
    r->type = type;
    add_clean(str_trim(str_sub(rest, 1, rest.n)), &r->text);
    return true;
}

/* The document's own sentence on element types counts for the first parameter: "Supports input of
 * float, double, cfloat and cdouble dtypes." */
static void whole_text_dtypes(const struct api_record *r, struct documented_parameters *out)
{
    if (!out->n || out->at[0].n_dtypes)
        return;
    struct documented_parameter p = {.text = r->doc};
    find_dtypes(&p);
    memcpy(out->at[0].dtypes, p.dtypes, sizeof p.dtypes);
    out->at[0].n_dtypes = p.n_dtypes;
}

void documented_parameters_of(const struct api_record *r, struct arena *a,
                              struct documented_parameters *out)
{
    struct reading to = {.a = a, .out = out, .name = STR(""), .type = STR("")};
    struct str rest = r->doc, line;
    size_t section = 0, own = SIZE_MAX;
    bool inside = false;
    *out = (struct documented_parameters){0};
    while (str_split(&rest, '\n', &line)) {
        struct str text = str_trim(line);
        size_t indent = indent_of(line);
        if (!text.n)
            continue;
        if (inside && indent <= section)
            inside = false;
        if (opens_section(text)) {
            section = indent;
            inside = true;
            own = SIZE_MAX;
            continue;
        }
        if (!inside)
            continue;
        own = MIN(own, indent);
        if (indent != own || !begin_parameter(&to, text))
            add_clean(text, &to.text);
    }
    end_parameter(&to);
    strbuf_done(&to.text);
    whole_text_dtypes(r, out);
}

const struct documented_parameter *
documented_parameter_find(const struct documented_parameters *all, struct str name)
{
    for (size_t i = 0; i < all->n; i++)
        if (str_eq(all->at[i].name, name))
            return &all->at[i];
    return NULL;
}

bool documented_range_has(const struct documented_parameter *p, double v)
{
    return !(p->has_low && (p->excludes_low ? v <= p->low : v < p->low)) &&
           !(p->has_high && (p->excludes_high ? v >= p->high : v > p->high));
}

bool documented_dtypes_have(const struct documented_parameter *p, struct str dtype)
{
    for (size_t i = 0; i < p->n_dtypes; i++)
        if (str_eq(p->dtypes[i], dtype))
            return true;
    return false;
}
