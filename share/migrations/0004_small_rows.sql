-- Words of the columns that columns.def calls WORDS: rows hold their numbers. Older rows keep their texts.
CREATE TABLE word (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
);
-- What the generators had learned from the cases below n_done, so that a resumed campaign need not read them.
CREATE TABLE snapshot (
    campaign BIGINT NOT NULL,
    n_done BIGINT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (campaign)
);
