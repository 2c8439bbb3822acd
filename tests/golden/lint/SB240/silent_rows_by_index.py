from dataclasses import dataclass


def prepare(table, split, Scaler, Rows):
    train_ix, val_ix = split(len(table["x"]))
    scaler = Scaler().fit(table["x"][train_ix])
    return [Rows(table, ix, scaler) for ix in (train_ix, val_ix)]


def by_part(frame, split, Scaler, Rows):
    train_ix, val_ix = split(len(frame))
    seen = frame[train_ix]
    scaler = Scaler().fit(seen)
    return Rows(seen, scaler), Rows(frame[val_ix], scaler)
