"""A stand-in for Hugging Face's Trainer: its steps, callbacks and checkpoints, without a model."""

import pathlib
import pickle
import random
import time

from anything import STEP_S, Anything, part as __getattr__


def set_seed(seed):
    random.seed(seed)


class TrainerCallback:
    def on_log(self, args, state, control, logs=None, **kwargs):
        pass

    def on_step_end(self, args, state, control, **kwargs):
        pass

    def on_save(self, args, state, control, **kwargs):
        pass


class TrainingArguments:
    def __init__(self, output_dir, **given):
        self.output_dir = output_dir
        self.__dict__.update(given)


class Trainer:
    def __init__(self, model, args, train_dataset, eval_dataset, compute_metrics, callbacks):
        self.args, self.callbacks, self.compute_metrics = args, callbacks, compute_metrics
        self.state, self.control = type("State", (), {"global_step": 0})(), type("Control", (), {})()

    def _tell(self, what, **more):
        for callback in self.callbacks:
            getattr(callback, what)(self.args, self.state, self.control, **more)

    def train(self, resume_from_checkpoint=None):
        args = self.args
        if resume_from_checkpoint:
            self.state.global_step, kept = pickle.loads((pathlib.Path(resume_from_checkpoint) / "trainer").read_bytes())
            random.setstate(kept)
        while self.state.global_step < args.max_steps:
            self.state.global_step += 1
            step = self.state.global_step
            time.sleep(STEP_S)
            self.control.should_save = step % args.save_steps == 0
            self.control.should_training_stop = False
            self._tell("on_step_end")
            if step % args.logging_steps == 0:
                self._tell("on_log", logs={"loss": random.random(), "learning_rate": args.learning_rate})
            if step % args.eval_steps == 0:
                found = {"eval_" + name: value for name, value in self.compute_metrics(Anything()).items()}
                self._tell("on_log", logs={"eval_loss": random.random(), **found})
            if self.control.should_save:
                folder = pathlib.Path(args.output_dir) / f"checkpoint-{step}"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "trainer").write_bytes(pickle.dumps((step, random.getstate())))
                self._tell("on_save")
            if self.control.should_training_stop:
                return
