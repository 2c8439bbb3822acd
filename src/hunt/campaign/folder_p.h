/*
 * struct folder: the campaign's place on the disk while it runs. SQLite goes on writing into a
 * store that was deleted, so now and then it is checked that the file is still the same, and that
 * the disk has room for more.
 */
#ifndef HUNT_CAMPAIGN_FOLDER_P_H
#define HUNT_CAMPAIGN_FOLDER_P_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct folder_file {
    const char *path;
    uint64_t device, inode;
};

struct folder {
    const char *out, *artifacts;
    uint64_t max_bytes; /* 0: until less than a tenth of the disk is free */
    struct folder_file files[3];
    size_t n_files;
};

/* Makes out/artifacts. store: a file, or NULL. */
bool folder__open(struct folder *f, const char *out, const char *store, uint64_t max_bytes,
                  struct arena *a, struct err *e);

/* ERR_ENVIRONMENT: something was removed or replaced; the message says what. *artifacts_only: the
 * store is still there. */
bool folder__is_there(const struct folder *f, bool *artifacts_only, struct err *e);

/* Was a folder of the campaign, named as in the store's rows, removed? One that lies outside counts
 * as removed. */
bool folder__lacks(const struct folder *f, struct str folder);

/* ERR_ENVIRONMENT: a limit is reached; the message says which, and how to go on. */
bool folder__has_room(const struct folder *f, struct err *e);

/* Adds the sizes of all files below dir to *n_bytes; on an error, only of those before it. */
bool folder__add_size(const char *dir, uint64_t *n_bytes, struct err *e);

#endif
