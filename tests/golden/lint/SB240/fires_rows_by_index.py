from dataclasses import dataclass


def prepare(table, split, Scaler, Rows):
    train_ix, val_ix = split(len(table["x"]))
    scaler = Scaler().fit(table["x"])  # expect: SB240
    return [Rows(table, ix, scaler) for ix in (train_ix, val_ix)]
