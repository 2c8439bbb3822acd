/*
 * Decides how words become bytes: each is a varint (LEB128) of 3 * its number + a code for what
 * follows the word (0: the end, 1: a blank, 2: a line's end). A word without a number has number 0
 * there and comes next itself: a varint of its length, and its bytes.
 */
#include "store/words_p.h"

#include "base/compiler.h"

static const char behinds[] = {'\0', ' ', '\n'};

void words__init(struct words *w)
{
    *w = (struct words){0};
    arena_init(&w->a);
    vec_push(&w->texts, &w->a, STR(""));
}

void words__done(struct words *w)
{
    arena_done(&w->a);
}

bool words__split(struct str *rest, struct str *word, char *behind)
{
    size_t n = 0;
    if (rest->n == 0)
        return false;
    while (n < rest->n && rest->at[n] != ' ' && rest->at[n] != '\n')
        n++;
    *word = str_sub(*rest, 0, n);
    *behind = n < rest->n ? rest->at[n] : '\0';
    *rest = str_sub(*rest, n + 1, rest->n);
    return true;
}

uint32_t words__find(const struct words *w, struct str word)
{
    const uint64_t *id = map_get(&w->ids, word);
    return id ? (uint32_t)*id : 0;
}

bool words__has_room(const struct words *w, struct str word)
{
    return word.n <= WORDS_LEN_MAX && w->texts.n < WORDS_MAX;
}

void words__add(struct words *w, uint32_t id, struct str word)
{
    const struct str kept = {str_dup(&w->a, word), word.n};
    while (w->texts.n <= id)
        vec_push(&w->texts, &w->a, STR(""));
    w->texts.at[id] = kept;
    map_put(&w->ids, &w->a, kept, id);
}

static void put_number(struct strbuf *out, uint64_t v)
{
    do {
        char byte = (char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
        strbuf_add(out, &byte, 1);
        v >>= 7;
    } while (v);
}

static bool take_number(struct str *rest, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; rest->n > 0 && shift < 63; shift += 7) {
        uint8_t byte = (uint8_t)rest->at[0];
        *rest = str_sub(*rest, 1, rest->n);
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

void words__pack(const struct words *w, struct str text, struct strbuf *out)
{
    struct str rest = text, word;
    char behind;
    while (words__split(&rest, &word, &behind)) {
        uint32_t id = words__find(w, word);
        put_number(out, 3 * (uint64_t)id + (behind == ' ' ? 1 : behind == '\n' ? 2 : 0));
        if (id == 0) {
            put_number(out, word.n);
            strbuf_addstr(out, word);
        }
    }
}

static bool take_word(const struct words *w, struct str *rest, uint64_t id, struct str *word)
{
    uint64_t n;
    if (id > 0) {
        *word = id < w->texts.n ? w->texts.at[id] : STR("");
        return id < w->texts.n;
    }
    if (!take_number(rest, &n) || n > rest->n)
        return false;
    *word = str_sub(*rest, 0, n);
    *rest = str_sub(*rest, n, rest->n);
    return true;
}

bool words__unpack(const struct words *w, struct str bytes, struct arena *a, struct str *out)
{
    struct strbuf text = {0};
    struct str rest = bytes, word;
    uint64_t v;
    bool ok = true;
    while (ok && rest.n > 0) {
        ok = take_number(&rest, &v) && take_word(w, &rest, v / 3, &word);
        if (!ok)
            break;
        strbuf_addstr(&text, word);
        strbuf_add(&text, &behinds[v % 3], v % 3 ? 1 : 0);
    }
    *out = ok ? strbuf_dup(&text, a) : STR("");
    strbuf_done(&text);
    return ok;
}
