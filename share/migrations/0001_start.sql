-- Tables of a store, version 1. SQL of the subset that SQLite and PostgreSQL share. Columns stand in
-- src/store/columns.def too; hashes are hexadecimal, times milliseconds since 1970.

CREATE TABLE campaign (
    id BIGINT NOT NULL,
    seed BIGINT NOT NULL,
    generator TEXT NOT NULL,
    strategy TEXT NOT NULL,
    settings TEXT NOT NULL,
    version TEXT NOT NULL,
    sandbox TEXT NOT NULL,
    state TEXT NOT NULL,
    owner TEXT NOT NULL,
    n_cases BIGINT NOT NULL,
    seconds BIGINT NOT NULL,
    started_ms BIGINT NOT NULL,
    used_ms BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE target (
    campaign BIGINT NOT NULL,
    name TEXT NOT NULL,
    engine TEXT NOT NULL,
    version TEXT NOT NULL,
    mode TEXT NOT NULL,
    family TEXT NOT NULL,
    PRIMARY KEY (campaign, name)
);

CREATE TABLE job (
    campaign BIGINT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    case_at BIGINT NOT NULL,
    n_cases BIGINT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    owner TEXT NOT NULL,
    lease_ms BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (campaign, name)
);

CREATE TABLE result (
    campaign BIGINT NOT NULL,
    case_at BIGINT NOT NULL,
    case_id TEXT NOT NULL,
    content TEXT NOT NULL,
    kind TEXT NOT NULL,
    decision TEXT NOT NULL,
    lane TEXT NOT NULL,
    outcomes TEXT NOT NULL,
    ops TEXT NOT NULL,
    rewrites TEXT NOT NULL,
    keys TEXT NOT NULL,
    distance DOUBLE PRECISION,
    n_macs BIGINT NOT NULL,
    n_edits BIGINT NOT NULL,
    n_discarded BIGINT NOT NULL,
    n_noop BIGINT NOT NULL,
    wall_ns BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (campaign, case_at)
);

CREATE TABLE failure (
    campaign BIGINT NOT NULL,
    case_at BIGINT NOT NULL,
    case_id TEXT NOT NULL,
    key TEXT NOT NULL,
    target TEXT NOT NULL,
    oracle TEXT NOT NULL,
    soft_key TEXT NOT NULL,
    wrong TEXT NOT NULL,
    output TEXT NOT NULL,
    op_type TEXT NOT NULL,
    measure DOUBLE PRECISION,
    threshold DOUBLE PRECISION,
    claim TEXT NOT NULL,
    folder TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (campaign, case_at, key)
);

CREATE TABLE artifact (
    tree TEXT NOT NULL,
    kind TEXT NOT NULL,
    folder TEXT NOT NULL,
    manifest TEXT NOT NULL,
    n_bytes BIGINT NOT NULL,
    PRIMARY KEY (tree)
);

CREATE TABLE run (
    bug TEXT NOT NULL,
    kind TEXT NOT NULL,
    at BIGINT NOT NULL,
    round BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    key TEXT NOT NULL,
    target TEXT NOT NULL,
    measure DOUBLE PRECISION,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (bug, kind, at, round)
);

CREATE TABLE sample (
    campaign BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    name TEXT NOT NULL,
    value DOUBLE PRECISION,
    PRIMARY KEY (campaign, at_ms, name)
);

CREATE TABLE event (
    at_ms BIGINT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE bug (
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    rule_version BIGINT NOT NULL,
    campaign BIGINT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    severity TEXT NOT NULL,
    class TEXT NOT NULL,
    oracle TEXT NOT NULL,
    taxonomy TEXT NOT NULL,
    engine TEXT NOT NULL,
    version TEXT NOT NULL,
    mode TEXT NOT NULL,
    pass TEXT NOT NULL,
    ops TEXT NOT NULL,
    dtype TEXT NOT NULL,
    nodes BIGINT NOT NULL,
    measure DOUBLE PRECISION,
    threshold DOUBLE PRECISION,
    expected DOUBLE PRECISION,
    observed DOUBLE PRECISION,
    wrong TEXT NOT NULL,
    output TEXT NOT NULL,
    node TEXT NOT NULL,
    op_type TEXT NOT NULL,
    element BIGINT NOT NULL,
    input_set BIGINT NOT NULL,
    claim TEXT NOT NULL,
    outcome TEXT NOT NULL,
    message TEXT NOT NULL,
    first_bad TEXT NOT NULL,
    fixed_in TEXT NOT NULL,
    first_seen_ms BIGINT NOT NULL,
    case_at BIGINT NOT NULL,
    from_case_at BIGINT NOT NULL,
    from_key TEXT NOT NULL,
    folder TEXT NOT NULL,
    merged_into TEXT NOT NULL,
    reason TEXT NOT NULL,
    expires_ms BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE alias (
    key TEXT NOT NULL,
    bug TEXT NOT NULL,
    campaign BIGINT NOT NULL,
    case_at BIGINT NOT NULL,
    PRIMARY KEY (key)
);

CREATE TABLE worker (
    name TEXT NOT NULL,
    campaign BIGINT NOT NULL,
    kind TEXT NOT NULL,
    started_ms BIGINT NOT NULL,
    seen_ms BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE INDEX job_by_state ON job (campaign, state, case_at);
CREATE INDEX failure_by_key ON failure (key, at_ms);
CREATE INDEX alias_by_bug ON alias (bug);
CREATE INDEX event_by_subject ON event (subject);
