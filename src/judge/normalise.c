/*
 * Message normalisation (campaign.md, "Buckets"): each step is one matcher, tried at every byte of
 * the text that the step before left. A matcher looks at the text around its place and nothing
 * else. So a step is pure, and equal failures get equal texts whatever run, machine or generated
 * name they come from.
 *
 * It decides what is noise in a message. It must not know engines or cases: names of a case's graph
 * are taken out by bucket.c, which knows them. Operator names (Conv2d), dtypes (float16) and enum
 * names (INVALID_ARGUMENT) pass every step unchanged: digits inside an identifier go only when the
 * identifier looks generated.
 */
#include "judge/normalise.h"

#include "judge/normalise_p.h"

static bool is_hex(char c)
{
    return str_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool text_at(struct str s, size_t at, const char *text)
{
    return str_starts(str_sub(s, at, s.n), str_of(text));
}

/* ---- 1: ANSI: CSI sequences, OSC strings, other two-byte escapes */
static size_t match_ansi(struct str in, size_t at, struct strbuf *out)
{
    (void)out;
    if (in.at[at] != '\033')
        return 0;
    char kind = normalise__byte_at(in, at + 1);
    size_t i = at + 2;
    if (kind == '[') {
        while (i < in.n && !(in.at[i] >= '@' && in.at[i] <= '~'))
            i++;
        return MIN(i + 1, in.n) - at;
    }
    if (kind == ']') {
        while (i < in.n && in.at[i] != '\007' && in.at[i] != '\033')
            i++;
        if (normalise__byte_at(in, i) == '\033')
            i++;
        return MIN(i + 1, in.n) - at;
    }
    return MIN(i, in.n) - at;
}

/* ---- 2: addresses */
static size_t match_address(struct str in, size_t at, struct strbuf *out)
{
    if (!normalise__starts_word(in, at) || in.at[at] != '0' ||
        (normalise__byte_at(in, at + 1) != 'x' && normalise__byte_at(in, at + 1) != 'X'))
        return 0;
    size_t digits = normalise__run_of(in, at + 2, is_hex);
    if (digits == 0)
        return 0;
    strbuf_adds(out, "<addr>");
    return 2 + digits;
}

/* ---- 3: object ids: "<Session object at <addr>>", numbers as long as a pointer */
static size_t match_object_id(struct str in, size_t at, struct strbuf *out)
{
    if (text_at(in, at, " at <addr>>"))
        return strlen(" at <addr>");
    if (!normalise__starts_word(in, at))
        return 0;
    size_t digits = normalise__run_of(in, at, str_is_digit);
    if (digits < 12 || normalise__byte_at(in, at + digits) == '.' ||
        str_is_word(normalise__byte_at(in, at + digits)))
        return 0;
    strbuf_adds(out, "<id>");
    return digits;
}

/* The length of a text in balanced brackets from an opening one, at most 64 KiB; 0: unbalanced. */
static size_t balanced_length(struct str in, size_t at)
{
    size_t depth = 0;
    for (size_t i = at; i < in.n; i++) {
        char c = in.at[i];
        if (c == '[' || c == '(' || c == '{')
            depth++;
        else if ((c == ']' || c == ')' || c == '}') && --depth == 0)
            return i + 1 - at;
    }
    return 0;
}

static bool is_number_list_byte(char c)
{
    return str_is_digit(c) || is_blank(c) || c == ',' || c == '.' || c == '-' || c == '+' ||
           c == 'e' || c == '[' || c == ']' || c == '(' || c == ')' || c == '{' || c == '}' ||
           c == ';';
}

/* ---- 4: tensor literals: tensor(...), array(...), lists with fractions or lists of lists */
static size_t match_tensor(struct str in, size_t at, struct strbuf *out)
{
    static const char *const calls[] = {"tensor([", "Tensor([", "array([", "ndarray(["};
    for (size_t i = 0; normalise__starts_word(in, at) && i < COUNT_OF(calls); i++) {
        if (!text_at(in, at, calls[i]))
            continue;
        size_t name = strlen(calls[i]) - 2;
        size_t body = balanced_length(in, at + name);
        if (body == 0)
            return 0;
        strbuf_adds(out, "<tensor>");
        return name + body;
    }
    if (in.at[at] != '[' && in.at[at] != '{')
        return 0;
    size_t n = balanced_length(in, at);
    bool fraction = false, nested = false, digit = false;
    for (size_t i = at + 1; n > 0 && i < at + n - 1; i++) {
        if (!is_number_list_byte(in.at[i]) && !text_at(in, i, "..."))
            return 0;
        digit = digit || str_is_digit(in.at[i]);
        fraction = fraction || (in.at[i] == '.' && str_is_digit(normalise__byte_at(in, i - 1)));
        nested = nested || in.at[i] == '[';
    }
    if (n == 0 || !digit || !(fraction || nested))
        return 0;
    strbuf_adds(out, "<tensor>");
    return n;
}

static bool is_shape_byte(char c)
{
    return str_is_digit(c) || c == ',' || c == ' ' || c == '-' || c == '?' || c == 'x' || c == '*';
}

/* ---- 5: shapes: [1,3,8,8] {1,3} (1, 3) torch.Size([1, 3]) 1x3x8x8 */
static size_t match_shape(struct str in, size_t at, struct strbuf *out)
{
    char open = in.at[at];
    if (text_at(in, at, "torch.Size([")) {
        size_t n = balanced_length(in, at + strlen("torch.Size"));
        strbuf_adds(out, n > 0 ? "<shape>" : "");
        return n > 0 ? strlen("torch.Size") + n : 0;
    }
    if (open == '[' || open == '{' || open == '(') {
        size_t n = normalise__run_of(in, at + 1, is_shape_byte);
        char close = open == '[' ? ']' : open == '{' ? '}' : ')';
        struct str body = str_sub(in, at + 1, at + 1 + n);
        bool digits = false;
        for (size_t i = 0; i < body.n; i++)
            digits = digits || str_is_digit(body.at[i]);
        bool comma = str_find_byte(body, ',') < body.n;
        if (normalise__byte_at(in, at + 1 + n) != close || !(digits || (n == 0 && open != '(')) ||
            (open == '(' && !comma))
            return 0;
        strbuf_adds(out, "<shape>");
        return n + 2;
    }
    if (!normalise__starts_word(in, at) || !str_is_digit(open))
        return 0;
    size_t i = at + normalise__run_of(in, at, str_is_digit), parts = 1;
    while (normalise__byte_at(in, i) == 'x' && str_is_digit(normalise__byte_at(in, i + 1))) {
        i += 1 + normalise__run_of(in, i + 1, str_is_digit);
        parts++;
    }
    if (parts < 2 || str_is_word(normalise__byte_at(in, i)))
        return 0;
    strbuf_adds(out, "<shape>");
    return i - at;
}

/* ---- 6: devices: cuda:0, /device:GPU:0, device 3 */
static size_t match_device(struct str in, size_t at, struct strbuf *out)
{
    static const char *const names[] = {
        "/device:GPU:", "/device:CPU:", "cuda:", "gpu:", "cpu:",    "xpu:",      "mps:",
        "GPU.",         "GPU:",         "CPU:",  "npu:", "device ", "device_id="};
    if (!normalise__starts_word(in, at))
        return 0;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        size_t digits = normalise__run_of(in, at + strlen(names[i]), str_is_digit);
        if (text_at(in, at, names[i]) && digits > 0) {
            strbuf_adds(out, "<device>");
            return strlen(names[i]) + digits;
        }
    }
    return 0;
}

static bool is_path_byte(char c)
{
    return str_is_word(c) || c == '/' || c == '.' || c == '-' || c == '+' || c == '@' || c == '\\';
}

/* ---- 7: paths to base names: /a/b/c.cc and C:\a\b.py */
static size_t match_path(struct str in, size_t at, struct strbuf *out)
{
    bool drive = normalise__is_letter(in.at[at]) && normalise__byte_at(in, at + 1) == ':' &&
                 normalise__byte_at(in, at + 2) == '\\';
    if (!normalise__starts_word(in, at) || (at > 0 && is_path_byte(in.at[at - 1])))
        return 0;
    size_t start = at + (drive ? 2 : 0);
    size_t n = normalise__run_of(in, start, is_path_byte), last = 0, slashes = 0;
    for (size_t i = 0; i < n; i++) {
        char c = in.at[start + i];
        if ((c == '/' || c == '\\') && i + 1 < n) {
            last = i + 1;
            slashes++;
        }
    }
    if (slashes == 0 || (slashes == 1 && last > 1 && !drive)) /* "and/or" is no path */
        return 0;
    strbuf_add(out, in.at + start + last, n - last);
    return (start - at) + n;
}

const struct normalise_step *normalise_steps(size_t *n)
{
    static const struct normalise_step steps[] = {
        {"ansi", 1, match_ansi},
        {"address", 1, match_address},
        {"object-id", 1, match_object_id},
        {"tensor", 1, match_tensor},
        {"shape", 1, match_shape},
        {"device", 1, match_device},
        {"path", 1, match_path},
        {"passing", 1, normalise__match_passing},
        {"node names", 1, normalise__match_node_name},
        {"operands", 2, normalise__match_operands},
        {"ill-typed", 2, normalise__match_ill_typed},
        {"generated", 1, normalise__match_generated},
        {"number", 1, normalise__match_number},
    };
    *n = COUNT_OF(steps);
    return steps;
}

void normalise_step_run(const struct normalise_step *step, struct str in, struct strbuf *out)
{
    for (size_t at = 0; at < in.n;) {
        size_t n = step->match(in, at, out);
        if (n == 0)
            strbuf_addc(out, in.at[at++]);
        else
            at += n;
    }
}

struct str normalise_message(struct str raw, int version, struct arena *a)
{
    enum { RAW_MAX = 16 * 1024 };
    size_t n_steps;
    const struct normalise_step *steps = normalise_steps(&n_steps);
    struct strbuf from = {0}, to = {0};
    strbuf_addstr(&from, str_sub(raw, 0, RAW_MAX));
    for (size_t i = 0; i < n_steps; i++) {
        if (steps[i].since > version)
            continue;
        strbuf_clear(&to);
        normalise_step_run(&steps[i], strbuf_str(&from), &to);
        struct strbuf swap = from;
        from = to;
        to = swap;
    }
    strbuf_clear(&to);
    struct str text = str_trim(strbuf_str(&from));
    for (size_t i = 0; i < text.n && to.n < NORMALISE_MAX; i++) {
        bool blank = is_blank(text.at[i]);
        if (!(blank && i > 0 && is_blank(text.at[i - 1])))
            strbuf_addc(&to, blank ? ' ' : text.at[i]);
    }
    struct str result = strbuf_dup(&to, a);
    strbuf_done(&from);
    strbuf_done(&to);
    return result;
}

struct str normalise_wrapped(struct str message)
{
    static const char *const quotes[][2] = {{"Error('", "')"}, {"Error(\"", "\")"}};
    struct str rest = str_sub(message, str_find(message, STR(": got ")), message.n);
    for (size_t i = 0; i < COUNT_OF(quotes); i++) {
        struct str mark = str_of(quotes[i][0]);
        size_t at = str_find(rest, mark);
        struct str text = str_sub(rest, at + mark.n, rest.n);
        if (at < rest.n)
            return str_sub(text, 0, str_find(text, str_of(quotes[i][1])));
    }
    return (struct str){0};
}
