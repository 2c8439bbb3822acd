/* The table of commands. */
#include <string.h>

#include "cli/command.h"

static const struct command *const commands[] = {
#define COMMAND(id) &command_##id,
#include "cli/commands.def"
#undef COMMAND
};

const struct command *const *command_list(size_t *n)
{
    *n = COUNT_OF(commands);
    return commands;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}
