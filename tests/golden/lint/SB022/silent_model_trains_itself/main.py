from net import Classifier


def main(train_loader, val_loader):
    clf = Classifier()
    for epoch in range(10):
        clf.fit_epoch(train_loader)
        print(clf.score(val_loader))
