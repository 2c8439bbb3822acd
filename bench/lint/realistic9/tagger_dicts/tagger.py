# BiLSTM part-of-speech tagger with a character channel
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(99)
PAD = 0
TAGS = ['<pad>', 'NOUN', 'VERB', 'DET', 'ADJ']
HP = {'emb': 24, 'char': 8, 'hid': 32, 'layers': 2, 'p': 0.25, 'word_drop': 0.05, 'lr': 0.01, 'epochs': 1, 'bs': 20}


def corpus(n, seed):
    g = torch.Generator().manual_seed(seed)
    rows = []
    for _ in range(n):
        length = int(torch.randint(3, 15, (1,), generator=g))
        tags = torch.randint(1, len(TAGS), (length,), generator=g)
        words = 2 + (tags - 1) * 20 + torch.randint(0, 20, (length,), generator=g)
        noise = torch.rand(length, generator=g) < 0.1
        words[noise] = torch.randint(2, 82, (int(noise.sum()),), generator=g)
        suffix = 1 + (tags + torch.randint(0, 2, (length,), generator=g)) % 6
        rows.append({'words': words, 'suffix': suffix, 'tags': tags})
    return rows


def collate(rows):
    rows = sorted(rows, key=lambda r: len(r['words']), reverse=True)
    batch = {k: pad_sequence([r[k] for r in rows], batch_first=True, padding_value=PAD) for k in ('words', 'suffix', 'tags')}
    batch['lengths'] = torch.tensor([len(r['words']) for r in rows])
    return batch


class Tagger(nn.Module):
    def __init__(self, n_words=82, n_suffix=8, n_tags=len(TAGS)):
        super().__init__()
        self.words = nn.Embedding(n_words, HP['emb'], padding_idx=PAD)
        self.suffix = nn.Embedding(n_suffix, HP['char'], padding_idx=PAD)
        self.lstm = nn.LSTM(HP['emb'] + HP['char'], HP['hid'], HP['layers'], batch_first=True, bidirectional=True, dropout=HP['p'])
        self.drop = nn.Dropout(HP['p'])
        self.fc = nn.Linear(2 * HP['hid'], n_tags)
        for name, p in self.lstm.named_parameters():
            if 'weight_hh' in name:
                nn.init.orthogonal_(p)
            elif 'bias' in name:
                nn.init.zeros_(p)
                p.data[HP['hid']:2 * HP['hid']].fill_(0.5)

    def word_dropout(self, words):
        if not self.training:
            return words
        gone = (torch.rand(words.shape) < HP['word_drop']) & (words != PAD)
        return words.masked_fill(gone, 1)  # 1 = unknown

    def forward(self, batch):
        x = torch.cat([self.words(self.word_dropout(batch['words'])), self.suffix(batch['suffix'])], dim=-1)
        packed = pack_padded_sequence(self.drop(x), batch['lengths'], batch_first=True)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.fc(self.drop(h))


def loss_fn(logits, tags):
    return nn.functional.cross_entropy(logits.transpose(1, 2), tags, ignore_index=PAD)


def run_epoch(model, loader, opt=None):
    training = opt is not None
    model.train(training)
    stats = {'loss': 0.0, 'right': 0, 'words': 0, 'whole': 0, 'rows': 0}
    with torch.set_grad_enabled(training):
        for batch in loader:
            logits = model(batch)
            loss = loss_fn(logits, batch['tags'])
            if training:
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                opt.step()
            mask = batch['tags'] != PAD
            hit = (logits.argmax(dim=-1) == batch['tags']) & mask
            n = int(mask.sum())
            stats['loss'] += loss.item() * n
            stats['right'] += int(hit.sum())
            stats['whole'] += int((hit.sum(dim=1) == batch['lengths']).sum())
            stats['words'] += n
            stats['rows'] += len(mask)
    return {'loss': stats['loss'] / stats['words'], 'acc': stats['right'] / stats['words'], 'sent': stats['whole'] / stats['rows']}


if __name__ == '__main__':
    train = DataLoader(corpus(300, 0), HP['bs'], shuffle=True, collate_fn=collate)
    dev = DataLoader(corpus(80, 1), HP['bs'], collate_fn=collate)
    model = Tagger()
    opt = torch.optim.Adam(model.parameters(), lr=HP['lr'])
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
    for epoch in range(HP['epochs']):
        tr = run_epoch(model, train, opt)
        dv = run_epoch(model, dev)
        sched.step()
        print(f"{epoch}: train {tr['loss']:.3f}/{tr['acc']:.3f} dev {dv['loss']:.3f}/{dv['acc']:.3f} sentences {dv['sent']:.3f}")
