/*
 * Cases that are programs: Python source with an entry, and maybe weights. What a program is made
 * of is not read from its text: observations say which APIs a run reached.
 */
#include "base/file.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/npy.h"
#include "case/subject.h"

enum { SOURCE_MAX = 16 << 20 };

static void hash_program(const struct tcase *c, struct hasher *h)
{
    const struct program *p = c->program;
    hasher_add_str(h, p->framework);
    hasher_add_str(h, p->entry);
    hasher_add_str(h, p->source);
    hasher_add_u64(h, p->weights.n);
    for (size_t i = 0; i < p->weights.n; i++) {
        hasher_add_str(h, p->weights.at[i].name);
        tensor_hash(&p->weights.at[i].tensor, h);
    }
}

static bool write_program(const char *dir, const struct tcase *c, struct json_out *w,
                          struct arena *a, struct err *e)
{
    struct str source = c->program->source;
    json_pair_str(w, "framework", c->program->framework);
    json_pair_str(w, "entry", c->program->entry);
    json_key(w, "weights");
    return tensors_write_dir(path_join(a, dir, "weights"), &c->program->weights, w, e) &&
           file_write(path_join(a, dir, subject_program.file), source.at ? source.at : "", source.n,
                      e);
}

static bool read_program(const char *dir, const struct json *j, struct arena *a, struct tcase *c,
                         struct err *e)
{
    struct program *p = arena_new(a, struct program);
    struct str framework, entry = json_get_str(j, "entry", STR(""));
    const struct json *weights = json_get(j, "weights");
    c->program = p;
    if (!json_need_str(j, "framework", &framework, e) ||
        (weights && !tensors_read_dir(path_join(a, dir, "weights"), weights, a, &p->weights, e)))
        return false;
    p->framework = (struct str){str_dup(a, framework), framework.n};
    p->entry = (struct str){str_dup(a, entry), entry.n};
    return file_read(path_join(a, dir, subject_program.file), SOURCE_MAX, a, &p->source, e);
}

static int64_t count_lines(struct str source)
{
    struct str rest = source, line;
    int64_t n = 0;
    while (str_split(&rest, '\n', &line)) {
        struct str text = str_trim(line);
        n += text.n > 0 && text.at[0] != '#';
    }
    return n;
}

/* All names in the observations' `reached` (one per line), each once, sorted. */
static struct str reached(const struct observation *seen, size_t n_seen, struct arena *a)
{
    VEC(struct str) names = {0};
    for (size_t i = 0; i < n_seen; i++) {
        struct str rest = seen[i].reached, name;
        while (str_split(&rest, '\n', &name))
            if (name.n)
                vec_push(&names, a, name);
    }
    return str_trim(subject_join_sorted(names.at, names.n, ' ', a));
}

static struct str program_parts(const struct tcase *c, const struct observation *seen,
                                size_t n_seen, struct arena *a, int64_t *n)
{
    *n = count_lines(c->program->source);
    return reached(seen, n_seen, a);
}

static void count_nothing(const struct tcase *c, struct arena *a, struct map *operators)
{
    (void)c;
    (void)a;
    (void)operators;
}

static struct str program_words(const struct tcase *c, const struct observation *seen,
                                size_t n_seen, struct arena *a)
{
    (void)c;
    return reached(seen, n_seen, a);
}

const struct subject subject_program = {.kind = CASE_PROGRAM,
                                        .name = "program",
                                        .file = "program.py",
                                        .hash = hash_program,
                                        .write = write_program,
                                        .read = read_program,
                                        .parts = program_parts,
                                        .count = count_nothing,
                                        .words = program_words};
