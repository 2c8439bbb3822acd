/* .npy files: round trips of every dtype, foreign headers, hostile bytes. */
#include "case/npy.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/path.h"
#include "unit/test.h"

static struct tensor sample(enum dtype t, const int64_t *dims, uint32_t rank, struct arena *a)
{
    struct tensor out;
    struct err e = {0};
    void *data;
    assert_true(tensor_make(t, dims, rank, a, &out, &data, &e));
    for (size_t i = 0; i < out.n; i++)
        tensor_put_double(t, data, i, (double)(i % 2));
    return out;
}

static void every_known_dtype_and_rank_survives_encoding(void **state)
{
    static const int64_t dims[] = {2, 3, 1, 4};
    (void)state;
    for (int t = 1; t < DTYPE_COUNT; t++) {
        if (!npy_knows((enum dtype)t) || dtype_row((enum dtype)t)->class == DTYPE_CLASS_COMPLEX)
            continue;
        for (uint32_t rank = 0; rank <= 4; rank++) {
            struct arena a;
            struct strbuf b = {0};
            struct tensor back;
            struct err e = {0};
            arena_init(&a);
            struct tensor x = sample((enum dtype)t, dims, rank, &a);
            npy_encode(&x, &b);
            ASSERT_ROW((b.n - dtype_size(x.dtype, x.n)) % 64 == 0, dtype_name((enum dtype)t));
            ASSERT_ROW(npy_decode(strbuf_str(&b), "x.npy", &a, &back, &e),
                       dtype_name((enum dtype)t));
            ASSERT_ROW(tensor_same_bits(&x, &back), dtype_name((enum dtype)t));
            strbuf_done(&b);
            arena_done(&a);
        }
    }
}

/* Makes a file of version 1.0 with this header and n_data bytes 0, 1, 2, ... of data. */
static void make_file(const char *header, size_t n_data, struct strbuf *out)
{
    size_t n = strlen(header);
    strbuf_add(out, "\x93NUMPY\x01\x00", 8);
    strbuf_addc(out, (char)(n & 0xff));
    strbuf_addc(out, (char)(n >> 8));
    strbuf_adds(out, header);
    for (size_t i = 0; i < n_data; i++)
        strbuf_addc(out, (char)i);
}

static void bad_files_are_refused_with_their_name(void **state)
{
    static const struct {
        const char *name, *header;
        size_t n_data;
        enum err_code code;
    } rows[] = {
        {"data too short", "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", 2,
         ERR_DATA},
        {"data too long", "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", 4,
         ERR_DATA},
        {"big-endian", "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", 4,
         ERR_UNSUPPORTED},
        {"objects", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", 8,
         ERR_UNSUPPORTED},
        {"structured", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n", 4,
         ERR_UNSUPPORTED},
        {"no shape", "{'descr': '|u1', 'fortran_order': False, }\n", 0, ERR_DATA},
        {"negative dim", "{'descr': '|u1', 'fortran_order': False, 'shape': (-1,), }\n", 0,
         ERR_DATA},
        {"product overflows",
         "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n", 0,
         ERR_LIMIT},
        {"dim overflows",
         "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }\n", 0,
         ERR_DATA},
        {"shape not closed", "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2", 2,
         ERR_DATA},
        {"unknown key", "{'colour': 1}", 0, ERR_DATA},
        {"not a dict", "[1]", 0, ERR_DATA},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct strbuf b = {0};
        struct tensor t;
        struct err e = {0};
        arena_init(&a);
        make_file(rows[i].header, rows[i].n_data, &b);
        ASSERT_ROW(!npy_decode(strbuf_str(&b), "x.npy", &a, &t, &e), rows[i].name);
        ASSERT_ROW(e.code == rows[i].code, rows[i].name);
        ASSERT_ROW(strstr(e.text, "x.npy") != NULL, rows[i].name);
        strbuf_done(&b);
        arena_done(&a);
    }
}

static void files_cut_anywhere_are_refused(void **state)
{
    struct arena a;
    struct strbuf b = {0};
    (void)state;
    arena_init(&a);
    make_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", 8, &b);
    for (size_t n = 0; n < b.n; n++) {
        struct tensor t;
        struct err e = {0};
        /* A copy of the exact length, so that a read beyond it is seen by the sanitizer. */
        char *cut = malloc(n + 1);
        memcpy(cut, b.at, n);
        assert_false(npy_decode((struct str){cut, n}, "x.npy", &a, &t, &e));
        free(cut);
    }
    strbuf_done(&b);
    arena_done(&a);
}

static void column_major_files_are_read_row_major(void **state)
{
    static const uint8_t wanted[] = {0, 2, 4, 1, 3, 5};
    struct arena a;
    struct strbuf b = {0};
    struct tensor t;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    make_file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", 6, &b);
    assert_true(npy_decode(strbuf_str(&b), "x.npy", &a, &t, &e));
    assert_memory_equal(t.data, wanted, sizeof wanted);
    strbuf_done(&b);
    arena_done(&a);
}

static void bools_become_zero_or_one(void **state)
{
    struct arena a;
    struct strbuf b = {0};
    struct tensor t;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    make_file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", 3, &b);
    assert_true(npy_decode(strbuf_str(&b), "x.npy", &a, &t, &e));
    assert_memory_equal(t.data, "\0\1\1", 3);
    strbuf_done(&b);
    arena_done(&a);
}

static void lists_in_folders_keep_names_and_every_dtype(void **state)
{
    static const char *const names[] = {"x", "a/b:c", "..", "caf\xc3\xa9"};
    static const enum dtype types[] = {DTYPE_FLOAT, DTYPE_BFLOAT16, DTYPE_INT4, DTYPE_STRING};
    struct str words[] = {STR("one"), STR("")};
    static const int64_t dims[] = {2};
    struct arena a;
    struct err e = {0};
    struct strbuf b = {0};
    struct named_tensor at[4];
    struct tensors list = {at, 4}, back;
    const char *dir;
    const struct json *j;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < 4; i++) {
        at[i].name = str_of(names[i]);
        at[i].tensor = types[i] == DTYPE_STRING ? (struct tensor){.dtype = DTYPE_STRING,
                                                                  .rank = 1,
                                                                  .dims = dims,
                                                                  .n = 2,
                                                                  .strings = words}
                                                : sample(types[i], dims, 1, &a);
    }
    assert_true(file_make_temp_dir(&a, "assay-test", &dir, &e));
    struct json_out w = json_open(&b, JSON_PRETTY);
    assert_true(tensors_write_dir(dir, &list, &w, &e));
    assert_true(json_parse(strbuf_str(&b), "list", &a, &j, &e));
    assert_true(tensors_read_dir(dir, j, &a, &back, &e));
    assert_int_equal(back.n, 4);
    for (size_t i = 0; i < 4; i++) {
        ASSERT_ROW(str_is(back.at[i].name, names[i]), names[i]);
        if (types[i] == DTYPE_STRING)
            ASSERT_ROW(str_is(back.at[i].tensor.strings[0], "one"), names[i]);
        else
            ASSERT_ROW(tensor_same_bits(&back.at[i].tensor, &at[i].tensor), names[i]);
    }
    assert_true(tensors_read_loose(dir, &a, &back, &e));
    assert_int_equal(back.n, 1);
    assert_true(str_is(back.at[0].name, "x"));
    assert_true(file_write(path_join(&a, dir, "x.npy"), "changed", 7, &e));
    assert_false(tensors_read_dir(dir, j, &a, &back, &e));
    assert_non_null(strstr(e.text, "SHA-256"));
    assert_true(file_remove_tree(dir, &e));
    strbuf_done(&b);
    arena_done(&a);
}

TEST_SUITE(case_npy, TEST(every_known_dtype_and_rank_survives_encoding),
           TEST(bad_files_are_refused_with_their_name), TEST(files_cut_anywhere_are_refused),
           TEST(column_major_files_are_read_row_major), TEST(bools_become_zero_or_one),
           TEST(lists_in_folders_keep_names_and_every_dtype))
