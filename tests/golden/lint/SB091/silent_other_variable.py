import tensorflow as tf
import torch

x = tf.Variable(3.0)
