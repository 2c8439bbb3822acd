/* The generated table that share.h reads. */
#ifndef BASE_SHARE_P_H
#define BASE_SHARE_P_H

#include "base/share.h"

extern const struct share_file share__files[];
extern const size_t share__n_files;

#endif
