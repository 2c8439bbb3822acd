import cv2
import torch

image = torch.from_numpy(cv2.imread("cat.png").transpose(2, 0, 1)).float().div(255)
batch = image.view(1, 3, 224, 224)
