/*
 * Artifacts: folders of files (cases, reproducers) kept beside the database under the SHA-256 of
 * what they hold, so that the same content is kept once and a damaged one is found out.
 *
 *     struct store_artifact row;
 *     if (!artifact_take(root, "case", made_dir, arena, &row, e)) ...    // made_dir is moved
 *     const char *dir = artifact_path(root, row.folder, arena);
 *
 * The tree hash is over the lines "<sha256> <path>\n" of the files, sorted by path: the manifest.
 * Files that are added to the folder later (reports) are not part of it. Artifacts are written
 * first, rows that name them after.
 */
#ifndef STORE_ARTIFACT_H
#define STORE_ARTIFACT_H

#include "base/arena.h"
#include "base/err.h"
#include "store/store.h"

/* Moves the folder `from` to root/artifacts/<2 letters>/<tree hash>, or drops it when that is there
 * already. row->folder is relative to root. */
bool artifact_take(const char *root, const char *kind, const char *from, struct arena *a,
                   struct store_artifact *row, struct err *e);

/* Every file of the manifest is there with its hash, or the message names the first that is not. */
bool artifact_verify(const char *root, const struct store_artifact *row, struct err *e);

char *artifact_path(const char *root, struct str folder, struct arena *a);

/* A fresh folder on the same file system, for what artifact_take moves. */
bool artifact_scratch(const char *root, const char *name, struct arena *a, const char **out,
                      struct err *e);

#endif
