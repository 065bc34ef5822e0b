"""A stand-in for Lightning's Trainer: its epochs, callbacks and checkpoints, without a model."""

import pickle
import random
import time

from anything import STEP_S, Anything, Module


def seed_everything(seed):
    random.seed(seed)


class Callback:
    pass


class LightningModule(Module):
    def log(self, name, value, **how):
        self.trainer.callback_metrics[name] = value.item()


class Trainer:
    def __init__(self, max_epochs, callbacks, **settings):
        self.max_epochs, self.callbacks = max_epochs, callbacks
        self.current_epoch = self.global_step = 0
        self.callback_metrics, self.should_stop = {}, False

    def save_checkpoint(self, file):
        file.write_bytes(pickle.dumps((self.current_epoch + 1, self.global_step)))

    def fit(self, module, train, dev, ckpt_path=None):
        module.trainer = self
        module.configure_optimizers()
        if ckpt_path:
            self.current_epoch, self.global_step = pickle.loads(ckpt_path.read_bytes())
        while self.current_epoch < self.max_epochs and not self.should_stop:
            for index in range(3):
                for callback in self.callbacks:
                    callback.on_train_batch_start(self, module, Anything(), index)
                module.training_step((Anything(), Anything()), index)
                self.global_step += 1
                time.sleep(STEP_S)
            module.validation_step((Anything(), Anything()), 0)
            for callback in self.callbacks:
                callback.on_train_epoch_end(self, module)
            self.current_epoch += 1
