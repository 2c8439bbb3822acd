/*
 * Artifacts: folders of files (cases, reproducers) kept beside the database under the SHA-256 of
 * their content, so that equal content is kept once and damage is detected.
 *
 *     struct store_artifact row;
 *     if (!artifact_take(root, "case", made_dir, arena, &row, e)) ...    // made_dir is moved
 *     const char *dir = artifact_path(root, row.folder, arena);
 *
 * The manifest has a line "<sha256> <path>\n" per file, sorted by path; the tree hash is its
 * SHA-256. Files that are added to the folder later (reports) are not part of it. Artifacts are
 * written before the rows that name them.
 */
#ifndef STORE_ARTIFACT_H
#define STORE_ARTIFACT_H

#include "base/arena.h"
#include "base/err.h"
#include "store/store.h"

/* Moves the folder `from` to root/artifacts/<2 letters>/<tree hash>, or removes it if that exists
 * already. row->folder is relative to root. */
bool artifact_take(const char *root, const char *kind, const char *from, struct arena *a,
                   struct store_artifact *row, struct err *e);

/* Checks that every file of the manifest has its hash; the message names the first that has not. */
bool artifact_verify(const char *root, const struct store_artifact *row, struct err *e);

char *artifact_path(const char *root, struct str folder, struct arena *a);

/* A new folder on the same file system, to be filled for artifact_take. */
bool artifact_scratch(const char *root, const char *name, struct arena *a, const char **out,
                      struct err *e);

#endif
