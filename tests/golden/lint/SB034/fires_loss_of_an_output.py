


def train(model, loader, optimizer, accumulation):
    for step, batch in enumerate(loader, 1):
        out = model(**batch)
        out.loss.backward()  # expect: SB034
        if step % accumulation == 0:
            optimizer.step()
            optimizer.zero_grad()
