import cv2
import torch

image = torch.from_numpy(cv2.imread("cat.png")).float().div(255)
batch = image.view(1, 3, 224, 224)  # expect: SB111 low
