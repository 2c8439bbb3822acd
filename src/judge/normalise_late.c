/*
 * The last steps of message normalisation: what differs in each run (temporary names, pids, times,
 * sizes), names of nodes, identifiers that look generated, and numbers. They come after the steps
 * of normalise.c, because a shape or an address says more than its digits.
 *
 * An identifier looks generated when it ends in _digits, is one to four small letters and digits
 * (t17), or is a long run of hex digits. Dtypes, instruction sets and operators of that form are
 * listed and kept; names in capitals are enum names and kept.
 */
#include "judge/normalise_p.h"

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static struct str word_at(struct str s, size_t at)
{
    size_t n = 0;
    while (at + n < s.n && str_is_word(s.at[at + n]))
        n++;
    return str_sub(s, at, at + n);
}

/* The length of the form if the text at `at` has it: 'd' is a digit, other bytes are themselves; 0:
 * it has not. */
static size_t form_length(struct str s, size_t at, const char *form)
{
    size_t n = 0;
    for (; form[n] != '\0'; n++) {
        char c = normalise__byte_at(s, at + n);
        if (form[n] == 'd' ? !str_is_digit(c) : c != form[n])
            return 0;
    }
    return n;
}

static size_t fraction_length(struct str s, size_t at)
{
    size_t n = 0;
    if ((normalise__byte_at(s, at) == '.' || normalise__byte_at(s, at) == ',') &&
        str_is_digit(normalise__byte_at(s, at + 1)))
        for (n = 1; str_is_digit(normalise__byte_at(s, at + n));)
            n++;
    return n;
}

/* The length of "2026-11-21 23:32:38.123", "2026-11-21T23:32:38Z", "23:32:38"; 0: no time here. */
static size_t time_length(struct str s, size_t at)
{
    static const char *const forms[] = {"dddd-dd-dd dd:dd:dd", "dddd-dd-ddTdd:dd:dd",
                                        "dddd/dd/dd dd:dd:dd", "dddd-dd-dd", "dd:dd:dd"};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        size_t n = form_length(s, at, forms[i]);
        if (n == 0)
            continue;
        n += fraction_length(s, at + n);
        return n + (normalise__byte_at(s, at + n) == 'Z');
    }
    return 0;
}

/* The length of a number with a unit; *what: "<time>" or "<size>". 0: not here. */
static size_t quantity_length(struct str s, size_t at, const char **what)
{
    static const struct {
        const char *unit, *what;
    } units[] = {
        {"ms", "<time>"},  {"us", "<time>"},      {"ns", "<time>"},    {"s", "<time>"},
        {"sec", "<time>"}, {"seconds", "<time>"}, {"bytes", "<size>"}, {"byte", "<size>"},
        {"B", "<size>"},   {"KB", "<size>"},      {"MB", "<size>"},    {"GB", "<size>"},
        {"kB", "<size>"},  {"KiB", "<size>"},     {"MiB", "<size>"},   {"GiB", "<size>"},
    };
    size_t n = normalise__number_length(s, at);
    if (n == 0)
        return 0;
    size_t blank = normalise__byte_at(s, at + n) == ' ';
    struct str unit = word_at(s, at + n + blank);
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (str_is(unit, units[i].unit)) {
            *what = units[i].what;
            return n + blank + unit.n;
        }
    }
    return 0;
}

/* The offset of the digits in "pid 1234", "pid=1234", "thread 17", "tid: 4"; 0: not here. */
static size_t process_number_at(struct str s, size_t at)
{
    static const char *const words[] = {"pid", "PID", "tid", "thread", "Thread", "process"};
    struct str word = word_at(s, at);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (!str_is(word, words[i]))
            continue;
        size_t n = word.n;
        while (normalise__byte_at(s, at + n) == ' ' || normalise__byte_at(s, at + n) == '=' ||
               normalise__byte_at(s, at + n) == ':')
            n++;
        return n > word.n && str_is_digit(normalise__byte_at(s, at + n)) ? n : 0;
    }
    return 0;
}

/* ---- 8: temporary names, pids, times, sizes */
size_t normalise__match_passing(struct str in, size_t at, struct strbuf *out)
{
    if (!normalise__starts_word(in, at))
        return 0;
    struct str word = word_at(in, at);
    if (word.n >= 6 && (str_starts(word, STR("tmp")) || str_starts(word, STR("torchinductor_")))) {
        strbuf_adds(out, "<tmp>");
        return word.n;
    }
    size_t digits_at = process_number_at(in, at);
    if (digits_at > 0) {
        strbuf_add(out, in.at + at, digits_at);
        strbuf_adds(out, "<pid>");
        return digits_at + word_at(in, at + digits_at).n;
    }
    size_t n = time_length(in, at);
    const char *what = "<time>";
    if (n > 0 && (at == 0 || in.at[at - 1] == '\n')) /* a log line's time stamp is dropped */
        return n + (normalise__byte_at(in, at + n) == ' ');
    if (n == 0)
        n = quantity_length(in, at, &what);
    if (n > 0)
        strbuf_adds(out, what);
    return n;
}

static bool is_kept_word(struct str word)
{
    static const char *const kept[] = {
        "f16",   "f32",   "f64",   "fp16",   "fp32",   "fp64",   "bf16",  "i4",    "i8",
        "i16",   "i32",   "i64",   "u4",     "u8",     "u16",    "u32",   "u64",   "s4",
        "s8",    "s32",   "s64",   "int2",   "int4",   "int8",   "int16", "int32", "int64",
        "uint2", "uint4", "uint8", "uint16", "uint32", "uint64", "e4m3",  "e5m2",  "exp2",
        "log2",  "log10", "relu6", "avx2",   "sse2",   "sse4",   "x86",   "x64",   "amd64",
        "atan2", "fp8",   "f8",    "nf4",    "utf8",   "c10",    "sm80",  "v2",
    };
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        if (str_is(word, kept[i]))
            return true;
    return false;
}

static bool is_capitals(struct str word)
{
    bool any = false;
    for (size_t i = 0; i < word.n; i++) {
        if (is_small(word.at[i]))
            return false;
        any = any || is_capital(word.at[i]);
    }
    return any;
}

/* Is the word at least eight hex digits, with letters and digits, as of a hash or a uuid? */
static bool is_hex_name(struct str word)
{
    size_t digits = 0, letters = 0;
    for (size_t i = 0; i < word.n; i++) {
        char c = word.at[i];
        if (str_is_digit(c))
            digits++;
        else if (c >= 'a' && c <= 'f')
            letters++;
        else
            return false;
    }
    return word.n >= 8 && digits >= 2 && letters >= 1;
}

/* The length of the text from `at` to the end of what follows `open` until `close`; 0: it does not
 * begin with `open`, or is never closed. */
static size_t span_length(struct str in, size_t at, const char *open, const char *close)
{
    struct str rest = str_sub(in, at, in.n);
    if (!str_starts(rest, str_of(open)))
        return 0;
    struct str inside = str_sub(rest, str_of(open).n, rest.n);
    size_t n = str_find(inside, str_of(close));
    return n < inside.n ? str_of(open).n + n + str_of(close).n : 0;
}

/* ---- 9: names of nodes, of the model or made from them by an optimiser, which change when the
 * model is reduced: Name:'Conv_3_nchwc', Node (Reshape_18_q), in node (/LayerNormFusion/) */
size_t normalise__match_node_name(struct str in, size_t at, struct strbuf *out)
{
    static const char *const forms[][2] = {{"Name:'", "'"}, {"Node (", ")"}, {"node (", ")"}};
    for (size_t i = 0; normalise__starts_word(in, at) && i < COUNT_OF(forms); i++) {
        size_t n = span_length(in, at, forms[i][0], forms[i][1]);
        if (n > 0) {
            strbuf_printf(out, "%s<name>", forms[i][0]);
            return n - 1; /* the end stays */
        }
    }
    return 0;
}

/* ---- 10: names and types of a node's operands, which are the model's own and those that an
 * optimiser made of them: input parameter (Exp_35_q_to_dq), (...) : ("x": tensor(int8),) -> ("y":
 * tensor(int8),) , Error */
size_t normalise__match_operands(struct str in, size_t at, struct strbuf *out)
{
    static const struct {
        const char *open, *close, *instead;
    } forms[] = {{"input parameter (", ")", "input parameter (<name>)"},
                 {") : (\"", ",) , ", ") : <operands>, "}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        size_t n = span_length(in, at, forms[i].open, forms[i].close);
        if (n > 0) {
            strbuf_adds(out, forms[i].instead);
            return n;
        }
    }
    return 0;
}

/* ---- 11: dtypes of a type error. A rewrite that ignores types makes a model that is not well
 * typed, whatever the types are: Type Error: Type 'tensor(int8)' of input ... is invalid */
size_t normalise__match_ill_typed(struct str in, size_t at, struct strbuf *out)
{
    size_t n = span_length(in, at, "tensor(", ")");
    if (n == 0 || !normalise__starts_word(in, at) ||
        str_find(str_sub(in, 0, at), STR("Type Error: ")) == at)
        return 0;
    strbuf_adds(out, "tensor(<type>)");
    return n;
}

/* ---- 12: generated identifiers: conv_12, t17, 9f86d081 */
size_t normalise__match_generated(struct str in, size_t at, struct strbuf *out)
{
    struct str word = word_at(in, at);
    if (!normalise__starts_word(in, at) || word.n == 0 || (at > 0 && in.at[at - 1] == '<'))
        return 0;
    if (is_hex_name(word)) {
        strbuf_adds(out, "<hex>");
        return word.n;
    }
    size_t stem = word.n;
    while (stem > 0 && str_is_digit(word.at[stem - 1]))
        stem--;
    if (stem == word.n || stem == 0 || is_capitals(word) || is_kept_word(word))
        return 0;
    bool small = stem <= 4;
    for (size_t i = 0; i < stem; i++)
        small = small && is_small(word.at[i]);
    if (!small && word.at[stem - 1] != '_')
        return 0;
    strbuf_add(out, word.at, stem);
    strbuf_adds(out, "<n>");
    return word.n;
}

/* ---- 13: numbers that are no part of a name */
size_t normalise__match_number(struct str in, size_t at, struct strbuf *out)
{
    char before = at > 0 ? in.at[at - 1] : ' ';
    if (str_is_word(before) || (before == '.' && at > 1 && str_is_word(in.at[at - 2])))
        return 0;
    char first = in.at[at];
    if (first == '-' && (before == ')' || before == ']' || before == '>'))
        return 0;
    size_t n = normalise__number_length(in, at);
    if (n == 0 || (str_is_word(normalise__byte_at(in, at + n)) &&
                   !str_is_digit(normalise__byte_at(in, at + n))))
        return 0;
    strbuf_adds(out, "<n>");
    return n;
}
