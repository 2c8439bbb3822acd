/* Prints the facts of each model that is named: its path, and below it print_model's lines. */
#include <stdio.h>

#include "facts/print.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct arena a;
        struct err e;
        arena_init(&a);
        printf("%s\n", argv[i]);
        if (!print_model(argv[i], &a, &e))
            printf("  %s\n", e.text);
        arena_done(&a);
    }
    return 0;
}
