/* Files, paths, hashes, random numbers and clocks, compared with known values, in a real folder. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"
#include "base/rng.h"
#include "unit/test.h"

static void written_files_are_whole_or_absent(void **state)
{
    struct arena a;
    struct err e;
    const char *dir;
    struct str back;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-test", &dir, &e));
    const char *path = path_join(&a, dir, "x");
    assert_true(file_write(path, "old", 3, &e));
    assert_true(chmod(path, 0600) == 0);
    assert_true(file_write(path, "newer", 5, &e));
    assert_true(file_read(path, 100, &a, &back, &e));
    assert_true(str_is(back, "newer"));
    struct stat st;
    assert_true(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
    assert_false(file_read(path, 4, &a, &back, &e));
    assert_int_equal(e.code, ERR_LIMIT);
    assert_false(file_write(path_join(&a, dir, "no/such/x"), "", 0, &e));
    struct file_list list;
    assert_true(file_list_dir(dir, &a, &list, &e));
    assert_int_equal(list.n, 1);
    assert_true(file_remove_tree(dir, &e));
    assert_int_equal(file_stat(dir).kind, FILE_MISSING);
    arena_done(&a);
}

static bool note(void *ctx, const char *path, struct err *e)
{
    (void)e;
    strbuf_addstr(ctx, path_base(str_of(path)));
    strbuf_addc(ctx, ' ');
    return true;
}

static bool enter_all_but_skip(void *ctx, const char *dir)
{
    (void)ctx;
    return !str_is(path_base(str_of(dir)), "skip");
}

static void walks_are_sorted_and_do_not_follow_links(void **state)
{
    struct arena a;
    struct err e;
    const char *dir;
    struct strbuf seen = {0};
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-test", &dir, &e));
    static const char *const names[] = {"b/2", "b/1", "a", "skip/x", "c"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *path = path_join(&a, dir, names[i]);
        assert_true(file_make_dirs(str_dup(&a, path_dir(str_of(path))), &e));
        assert_true(file_write(path, "", 0, &e));
    }
    assert_int_equal(symlink("..", path_join(&a, dir, "b/loop")), 0);
    const struct file_walk walk = {note, enter_all_but_skip, &seen};
    assert_true(file_walk_tree(dir, &walk, &e));
    assert_string_equal(seen.at, "a 1 2 c ");
    strbuf_done(&seen);
    assert_true(file_remove_tree(dir, &e));
    arena_done(&a);
}

static void paths_are_understood_as_text(void **state)
{
    static const struct {
        const char *path, *normal;
        bool inside;
    } rows[] = {
        {"a/b", "a/b", true},     {"a/../b", "b", true},         {"../a", "../a", false},
        {"/a", "/a", false},      {"a//./b/", "a/b", true},      {"a/../../b", "../b", false},
        {"", ".", false},         {"..", "..", false},           {"/../a", "/a", false},
        {".", ".", false},        {"a/..", ".", false},          {"a/./../b", "b", true},
        {"./..", "..", false},    {"a/b/../..", ".", false},     {"a/../../a/b", "../a/b", false},
        {"..a/b", "..a/b", true}, {"./../b/c", "../b/c", false},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(path_normalise(&a, str_of(rows[i].path)), rows[i].normal);
        ASSERT_ROW(path_is_inside(str_of(rows[i].path)) == rows[i].inside, rows[i].path);
    }
    static const struct {
        const char *a, *b;
        size_t n;
    } common[] = {{"/a/b/c", "/a/d", 2}, {"/a/bc", "/a/b", 2}, {"/a/b", "/a/b", 4},
                  {"/a/b/c", "/a/b", 4}, {"/a", "", 0},        {"/a", "/b", 0}};
    for (size_t i = 0; i < COUNT_OF(common); i++) {
        assert_int_equal(path_common(str_of(common[i].a), str_of(common[i].b)), common[i].n);
        assert_int_equal(path_common(str_of(common[i].b), str_of(common[i].a)), common[i].n);
    }
    assert_string_equal(path_absolute(&a, "/a/b", "../c"), "/a/c");
    assert_string_equal(path_absolute(&a, "/a/b", "/c/./d"), "/c/d");
    assert_true(str_is(path_base(STR("a/b.onnx")), "b.onnx"));
    assert_true(str_is(path_extension(STR("a.x/b")), ""));
    assert_true(str_is(path_extension(STR("a/b.onnx")), ".onnx"));
    assert_true(str_is(path_dir(STR("/a")), "/"));
    struct str back;
    const char *encoded = path_encode_name(&a, STR("../x y/\xff.1"));
    assert_string_equal(encoded, "%2E.%2Fx%20y%2F%FF.1");
    assert_true(path_decode_name(&a, str_of(encoded), &back));
    assert_true(str_is(back, "../x y/\xff.1"));
    assert_false(path_decode_name(&a, STR("a%2"), &back));
    assert_false(path_decode_name(&a, STR("a%zz"), &back));
    arena_done(&a);
}

/* FIPS 180-4 examples, and lengths near a block's end. */
static void sha256_gives_the_published_digests(void **state)
{
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct hash h = hash_of(rows[i].text, strlen(rows[i].text)), back;
        char hex[HASH_HEX_SIZE];
        hash_to_hex(&h, hex);
        assert_string_equal(hex, rows[i].hex);
        assert_true(hash_from_hex(str_of(hex), &back) && hash_eq(&h, &back));
    }
    char block[200];
    memset(block, 'a', sizeof block);
    for (size_t n = 50; n < sizeof block; n++) {
        struct hash whole = hash_of(block, n);
        struct hasher h;
        hasher_init(&h);
        for (size_t i = 0; i < n; i++)
            hasher_add(&h, block + i, 1);
        struct hash parts = hasher_done(&h);
        assert_true(hash_eq(&whole, &parts));
    }
}

static void random_numbers_are_the_same_everywhere(void **state)
{
    struct rng r;
    (void)state;
    rng_init(&r, 42, RNG_CASE, 7);
    uint64_t first = rng_u64(&r);
    rng_init(&r, 42, RNG_CASE, 8);
    assert_true(rng_u64(&r) != first);
    rng_init(&r, 42, RNG_CASE, 7);
    assert_true(rng_u64(&r) == first);
    assert_true(first == 0x64c5b10a20951796u);
}

static void random_numbers_have_their_moments(void **state)
{
    struct rng r;
    double sum = 0, squares = 0;
    uint64_t counts[5] = {0};
    enum { N = 200000 };
    (void)state;
    rng_init(&r, 1, RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        double x = rng_normal(&r);
        sum += x;
        squares += x * x;
        counts[rng_below(&r, 5)]++;
    }
    assert_true(sum / N > -0.01 && sum / N < 0.01);
    assert_true(squares / N > 0.98 && squares / N < 1.02);
    for (int i = 0; i < 5; i++)
        assert_in_range(counts[i], N / 5 - 1000, N / 5 + 1000);
    static const double weights[] = {0, 1, 0, 3};
    uint64_t hits[4] = {0};
    for (int i = 0; i < 4000; i++)
        hits[rng_weighted(&r, weights, 4)]++;
    assert_int_equal(hits[0] + hits[2], 0);
    assert_in_range(hits[1], 850, 1150);
}

static void times_are_written_for_people(void **state)
{
    struct strbuf b = {0};
    (void)state;
    clock_format_iso(1000, &b);
    strbuf_addc(&b, ' ');
    clock_format_duration((int64_t)4324 * 1000000000, &b);
    assert_string_equal(b.at, "1970-01-01T00:00:01Z 01:12:04");
    strbuf_done(&b);
}

/* Opening a pipe without a writer would wait for ever. */
static void only_files_are_read(void **state)
{
    struct arena a;
    struct err e;
    struct str bytes;
    const char *dir;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "file", &dir, &e));
    const char *const paths[] = {path_join(&a, dir, "pipe"), "/dev/zero", dir};
    assert_int_equal(mkfifo(paths[0], 0600), 0);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        ASSERT_ROW(!file_read(paths[i], 1 << 20, &a, &bytes, &e), paths[i]);
        ASSERT_ROW(e.code == ERR_DATA && strstr(e.text, "a file is expected"), paths[i]);
        ASSERT_ROW(!file_map(paths[i], 1 << 20, &a, &bytes, &e), paths[i]);
        ASSERT_ROW(e.code == ERR_DATA && strstr(e.text, "a file is expected"), paths[i]);
    }
    assert_true(file_remove_tree(dir, &e));
    arena_done(&a);
}

TEST_SUITE(base_file, TEST(written_files_are_whole_or_absent),
           TEST(walks_are_sorted_and_do_not_follow_links), TEST(paths_are_understood_as_text),
           TEST(sha256_gives_the_published_digests), TEST(random_numbers_are_the_same_everywhere),
           TEST(random_numbers_have_their_moments), TEST(times_are_written_for_people),
           TEST(only_files_are_read))
