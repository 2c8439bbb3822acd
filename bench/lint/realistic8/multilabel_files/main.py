import copy
import logging

import torch

from dataset import build_loaders
from engine import evaluate, train_one_epoch
from model import Tagger

CFG = {"epochs": 2, "bs": 64, "n_train": 1200, "n_val": 300, "lr": 1e-2, "count_weight": 0.1, "unfreeze_at": 1, "seed": 2024}


def main(cfg=CFG):
    logging.basicConfig(level=logging.INFO)
    logger = logging.getLogger("tags")
    torch.manual_seed(cfg["seed"])
    train_loader, val_loader, weight = build_loaders(cfg)
    model = Tagger()
    model.freeze_backbone()  # heads first
    criterion = torch.nn.BCEWithLogitsLoss(pos_weight=weight)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=cfg["lr"])
    best, best_state = 0.0, None
    for epoch in range(cfg["epochs"]):
        if epoch == cfg["unfreeze_at"]:
            model.freeze_backbone(False)
            optimizer.add_param_group({"params": list(model.backbone.parameters()), "lr": cfg["lr"]})
        train_one_epoch(model, criterion, train_loader, optimizer, cfg, logger)
        metrics = evaluate(model, val_loader)
        logger.info("epoch %d %s", epoch, metrics)
        if metrics["f1"] > best:
            best, best_state = metrics["f1"], copy.deepcopy(model.state_dict())
    if best_state is not None:
        model.load_state_dict(best_state)
    logger.info("best %s", evaluate(model, val_loader))


if __name__ == "__main__":
    main()
