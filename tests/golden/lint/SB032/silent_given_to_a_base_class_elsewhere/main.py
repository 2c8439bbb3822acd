from trainer import Classifier
def main(loader):
    Classifier(loader).fit(3)
