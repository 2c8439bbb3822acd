-- What tells the same bug in another release, the key of rules before version 4, and what holds for one build.
ALTER TABLE bug ADD COLUMN portable TEXT NOT NULL DEFAULT '';
ALTER TABLE bug ADD COLUMN old_key TEXT NOT NULL DEFAULT '';
ALTER TABLE bug ADD COLUMN detail TEXT NOT NULL DEFAULT '';
ALTER TABLE bug ADD COLUMN traits TEXT NOT NULL DEFAULT '';
-- Which cases of one key are unlike.
ALTER TABLE failure ADD COLUMN ops TEXT NOT NULL DEFAULT '';
-- The key of the reduced case, by which later failures are known.
ALTER TABLE alias ADD COLUMN reduced TEXT NOT NULL DEFAULT '';
