/*
 * What a language model is asked to translate a program: the program, as data between marks, and
 * what assay knows of its calls: their verified pairs, and how arguments, defaults, layouts and
 * results differ. The words are data (share/prompts/transfer.json).
 *
 *     const struct json *words;
 *     if (!question_words(arena, &words, e)) ...
 *     struct question q = {.words = words, .translator = &t, .program = text};
 *     struct question_request made;
 *     question_make(&q, &reader, arena, &made);          // made.request goes to llm_ask
 *     q.failure = "unknown API"; q.detail = ...; q.answer = ...;  // asks once more
 *
 * The translator's `without` says what is left out: without distinction the prompt is that of the
 * paper's Basic CoT; without alignment only equal names are paired. Only data that is compiled in
 * goes into a prompt, so that a cassette is found on any machine. Invariant: nothing of the program
 * stands outside the marks.
 */
#ifndef GENERATE_TRANSFER_QUESTION_H
#define GENERATE_TRANSFER_QUESTION_H

#include "generate/transfer/translate.h"
#include "llm/llm.h"

struct question {
    const struct json *words;
    const struct translator *translator;
    struct str program;
    struct str failure, detail, answer; /* of the earlier answer; failure empty: there is none */
};

struct question_request {
    struct llm_request request;
    size_t n_knowledge, n_code; /* bytes of the prompt that are knowledge, and the program */
};

bool question_words(struct arena *a, const struct json **out, struct err *e);
void question_make(const struct question *q, struct reader *reader, struct arena *a,
                   struct question_request *out);

/* The framework's name in a sentence: "Keras 3 on TensorFlow". */
struct str question_title(const struct json *words, struct str framework);

#endif
