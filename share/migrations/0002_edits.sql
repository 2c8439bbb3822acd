-- What made each case: the arms of the search strategy that share its reward. What each reduction cost.
ALTER TABLE result ADD COLUMN edits TEXT NOT NULL DEFAULT '';
ALTER TABLE bug ADD COLUMN nodes_before BIGINT NOT NULL DEFAULT 0;
ALTER TABLE bug ADD COLUMN reduce_runs BIGINT NOT NULL DEFAULT 0;
ALTER TABLE bug ADD COLUMN reduce_ms BIGINT NOT NULL DEFAULT 0;
