/*
 * struct words: packs texts that repeat a few words ("Conv/float Relu/float", lines of
 * provenance.edits) into numbers of words, a quarter of their length. A dictionary has at most
 * WORDS_MAX words; later words are packed as they are.
 *
 *     struct str rest = text, word; char behind;
 *     while (words__split(&rest, &word, &behind))       // behind: ' ', '\n', or 0 at the end
 *         if (!words__find(&w, word)) words__add(&w, id, word);
 *     words__pack(&w, text, &bytes);
 *     words__unpack(&w, bytes, arena, &text);
 */
#ifndef STORE_WORDS_P_H
#define STORE_WORDS_P_H

#include "base/map.h"

enum { WORDS_MAX = 1 << 15, WORDS_LEN_MAX = 64 };

struct words {
    struct arena a;
    struct map ids;        /* word -> number, from 1 */
    VEC(struct str) texts; /* by number; [0] is none */
};

void words__init(struct words *w);
void words__done(struct words *w);

/* The next word, and the byte after it (`behind`); false: the end. Words may be empty. */
bool words__split(struct str *rest, struct str *word, char *behind);

uint32_t words__find(const struct words *w, struct str word); /* 0: not there */
/* May the word get a number? */
bool words__has_room(const struct words *w, struct str word);
void words__add(struct words *w, uint32_t id, struct str word);

void words__pack(const struct words *w, struct str text, struct strbuf *out);
/* false: a number is not in the dictionary, or words__pack did not write the bytes. */
bool words__unpack(const struct words *w, struct str bytes, struct arena *a, struct str *out);

#endif
