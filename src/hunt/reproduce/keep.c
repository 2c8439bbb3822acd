/*
 * Decides what is written into the campaign's folder: a case as an artifact and, for a bug, the
 * evidence that show and report read. A folder is written in another place and moved when complete.
 */
#include "hunt/reproduce/keep.h"

#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "case/subject.h"

bool keep_case(const char *out, const char *scratch, const char *kind, const struct tcase *c,
               struct arena *a, struct store_artifact *row, struct err *e)
{
    const char *dir;
    return artifact_scratch(out, scratch, a, &dir, e) && case_write(dir, c, e) &&
           artifact_take(out, kind, dir, a, row, e);
}

bool keep_evidence(const char *dir, const struct judged *seen, const struct key *k, struct arena *a,
                   struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_array(&w);
    for (size_t i = 0; i < seen->verdicts.n; i++)
        verdict_to_json(&seen->verdicts.at[i], &w);
    json_end_array(&w);
    strbuf_addc(&text, '\n');
    bool ok = file_write(path_join(a, dir, "verdicts.json"), text.at, text.n, e);
    strbuf_done(&text);
    const struct observation *o = judged_observation(seen, k);
    return ok && (!o || (file_make_dirs(path_join(a, dir, "observations"), e) &&
                         observation_write(path_join(a, dir, "observations/0"), o, e)));
}

bool keep_runner(const char *dir, const struct tcase *c, struct str script, struct arena *a,
                 struct err *e)
{
    return !script.n || !case_program(c) ||
           file_write(path_join(a, dir, PROGRAM_RUNNER), script.at, script.n, e);
}
