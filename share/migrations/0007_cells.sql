-- The cells of the operator table that a case met and no earlier case of its pilot had (generate/reach.h).
ALTER TABLE result ADD COLUMN cells TEXT NOT NULL DEFAULT '';
