/*
 * Decides which part of an issue's text is its program and which its error. Must not know the rest
 * of an issue. Tolerates prompts, shell lines, several fences or none. The answer is always a part
 * of the text's bytes.
 */
#include "generate/corpus/record.h"

#include <ctype.h>

static bool is_fence(struct str line)
{
    return str_starts(str_trim(line), STR("```")) || str_starts(str_trim(line), STR("~~~"));
}

static bool reads_like_program(struct str text)
{
    static const char *const words[] = {
        "import torch", "import tensorflow", "from torch", "from tensorflow",
        "import keras", "import jax",        "torch.",     "tf.",
        "keras."};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_find(text, str_of(words[i])) < text.n)
            return true;
    return false;
}

/* Is it a line of a shell, a magic of a notebook, or a line of a traceback? */
static bool is_foreign(struct str line)
{
    struct str t = str_trim(line);
    return str_starts(t, STR("$ ")) || str_starts(t, STR("%")) || str_starts(t, STR("!")) ||
           str_starts(t, STR("Traceback (")) || str_starts(t, STR("File \""));
}

/* The line without the prompt of an interpreter. *prompted: it had one. */
static struct str without_prompt(struct str line, bool *prompted)
{
    static const char *const prompts[] = {">>> ", "... ", ">>>", "..."};
    for (size_t i = 0; i < COUNT_OF(prompts); i++)
        if (str_starts(line, str_of(prompts[i]))) {
            *prompted = true;
            return str_sub(line, strlen(prompts[i]), line.n);
        }
    *prompted = false;
    return line;
}

/* The program of a fence: all its lines or, if some have prompts, only those. */
static struct str cleaned(struct str fence, struct arena *a)
{
    struct strbuf plain = {0}, prompted = {0};
    while (fence.n && fence.at[fence.n - 1] == '\n')
        fence.n--;
    struct str rest = fence, line;
    while (str_split(&rest, '\n', &line)) {
        bool has_prompt;
        struct str text = without_prompt(line, &has_prompt);
        if (text.n && text.at[text.n - 1] == '\r')
            text.n--;
        if (has_prompt)
            strbuf_printf(&prompted, STR_FMT "\n", STR_ARG(text));
        if (!is_foreign(text))
            strbuf_printf(&plain, STR_FMT "\n", STR_ARG(text));
    }
    struct str made = strbuf_dup(prompted.n ? &prompted : &plain, a);
    strbuf_done(&plain);
    strbuf_done(&prompted);
    return made;
}

struct str issue_extract_code(struct str body, struct arena *a)
{
    struct str rest = body, line, fence = {0};
    bool inside = false;
    while (str_split(&rest, '\n', &line)) {
        if (!is_fence(line)) {
            if (inside)
                fence.n = (size_t)(line.at + line.n - fence.at);
            continue;
        }
        if (inside && fence.n && reads_like_program(fence))
            return cleaned(fence, a);
        inside = !inside;
        fence = (struct str){rest.at, 0};
    }
    if (inside && fence.n && reads_like_program(fence)) /* a fence that is never closed */
        return cleaned(fence, a);
    return (struct str){0};
}

/* Is it a line like "RuntimeError: ..." or "torch.foo.BarError: ..."? */
static bool is_error_line(struct str line)
{
    size_t colon = str_find(line, STR(": "));
    struct str name = str_sub(line, 0, colon);
    size_t last = name.n;
    for (size_t i = 0; i < name.n; i++) {
        if (!isalnum((unsigned char)name.at[i]) && name.at[i] != '_' && name.at[i] != '.')
            return false;
        last = name.at[i] == '.' ? i + 1 : last == name.n ? 0 : last;
    }
    name = str_sub(name, last == name.n ? 0 : last, name.n);
    return colon < line.n && (str_ends(name, STR("Error")) || str_ends(name, STR("Exception")) ||
                              str_is(name, "Unsupported") || str_ends(name, STR("Failed")));
}

struct str issue_extract_error(struct str body)
{
    struct str rest = body, line, found = {0};
    bool behind_traceback = false;
    while (str_split(&rest, '\n', &line)) {
        line = str_trim(line);
        behind_traceback |= str_starts(line, STR("Traceback ("));
        if (is_error_line(line) && (behind_traceback || !found.n))
            found = line;
    }
    return found;
}
