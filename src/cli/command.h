/*
 * A command: one const entry and one function, in cmd_<name>.c; commands.def lists them. Help,
 * manual pages and the table in README come from the entries.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/err.h"
#include "cli/settings.h"

/* How assay ends. */
enum exit_code {
#define EXIT_CODE(name, number, meaning) EXIT_##name = number,
#include "cli/exit_codes.def"
#undef EXIT_CODE
};

struct command {
    const char *name;
    const char *arguments; /* "MODEL.onnx [...]", for the usage line */
    const char *summary;   /* one line */
    const char *details;   /* paragraphs for --help and the manual, or NULL */
    const char *examples;  /* lines "assay ...  # what it does", or NULL */
    bool hidden;           /* internal: not in lists */
    bool fails_with_two;   /* every failure and wrong use exits 2, as linters do */
    /* *exit_code is EXIT_DONE on entry; false with e set: main prints and exits with the error's
     * code. */
    bool (*run)(const struct settings *s, int *exit_code, struct err *e);
};

#define COMMAND(id) extern const struct command command_##id;
#include "cli/commands.def"
#undef COMMAND

const struct command *command_find(const char *name);
const struct command *const *command_list(size_t *n);

/* The help of one command (NULL: of the program) as shown by --help. */
void help_print(const struct command *c, struct strbuf *out);

/* A manual page in man(7) macros. */
void help_print_man(const struct command *c, struct strbuf *out);

/* Write results to stdout. A full disk or a closed pipe ends the program. */
void out_put(struct str text);
void out_putf(const char *fmt, ...) PRINTF_LIKE(1, 2);
void out_flush(void);

/* Writes a line that holds names from files: control characters are escaped, a newline is added. */
void out_line(struct str line);

/* Shows the progress of a long command: one line on the terminal of stderr that the next one
 * replaces; "" removes it. Writes nothing where stderr is no terminal, or with --quiet, --verbose
 * or --json. */
void out_status(const struct settings *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Prints a JSON text with a newline, and frees it. */
void out_json(struct strbuf *text);
void error_to_json(const struct err *e,
                   struct json_out *w); /* pairs "error", "kind", "exit_code" */

/* The exit code of a command that a signal has stopped. */
int exit_code_of_signal(int signo);

#endif
