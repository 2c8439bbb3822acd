/*
 * Examples of a docstring: the statements at its prompts, each with the output printed below it.
 *
 *     struct example_list list;
 *     example_find(record->doc, arena, &list);
 *     // list.at[0].source == "torch.abs(\n    a)\n", .expected == "tensor([1, 2])"
 *
 * Rules: ">>>" begins a statement; "..." continues it, and so does ">>>" where a bracket, a string
 * or a block is open; a line without a prompt continues an open bracket. Output ends at a blank
 * line outside brackets, at the next prompt, and where the text is less indented. A prompt with
 * only a comment is no statement, comments alone are no output. "<BLANKLINE>" is an empty line.
 */
#ifndef DOCUMENTS_EXAMPLE_H
#define DOCUMENTS_EXAMPLE_H

#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"

struct example {
    struct str source;   /* ends with a newline */
    struct str expected; /* output, without the last newline; "": none is documented */
    struct str shown;    /* the variables that it prints: "a" of "print(a)", "a, b"; "": none */
    size_t n_shown;
    uint32_t line; /* of the docstring, from 1 */
};

struct example_list {
    const struct example *at;
    size_t n;
    bool seeds; /* a statement sets the state of a generator */
};

void example_find(struct str doc, struct arena *a, struct example_list *out);

#endif
