/* assay man: the manual page of a command, from the same tables as --help. tools/check-tables keeps
 * docs/man/ equal to it. */
#include "cli/command.h"

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct strbuf text = {0};
    const struct command *c = s->n_args == 1 ? command_find(s->args[0]) : NULL;
    (void)exit_code;
    if (!c)
        return err_set(e, ERR_USAGE, "the name of one command is expected");
    help_print_man(c, &text);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
    return true;
}

const struct command command_man = {
    .name = "man",
    .arguments = "COMMAND",
    .summary = "print the manual page of a command",
    .hidden = true,
    .run = run,
};
