import torch


class Trainer:
    def update(self, batch):
        self.optimizer.zero_grad()
        loss = self.model(batch).mean()
        loss.backward()
        self.optimizer.step()
        if self.limit:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.limit)  # expect: SB207
