"""Model files: mutations of all that ship and of more words, read, put at their start, asked for their modes, stepped."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import modecontrol as mc
from hostility.judging import judge
from hostility.model_texts import TEXTS
from hostility.texts import damaged
from modecontrol.dynamics.library import locate


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    texts = [locate(name).read_text(encoding="utf-8") for name in mc.models()] + [*TEXTS, *TEXTS]
    folder = Path(tempfile.mkdtemp(prefix="hostile-models-"))
    for name in mc.models():  # whatever is imported when it is used
        model = mc.load(name)
        mc.dynamic_response(model.snapshot(model.start), check_state=False)
        judge(lambda model=model: mc.simulate(model, duration=0.001, check_state=False))

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 2, index])
        text = damaged(rng, texts[rng.integers(len(texts))])
        path = folder / f"{index}.toml"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        more = rng.random()

        def read() -> None:
            model = mc.load(path)
            snapshot = model.snapshot(model.start, model.start_velocity)
            if more < 0.2:
                mc.dynamic_response(snapshot)
            elif more < 0.3:
                mc.simulate(model, duration=0.003)

        found = judge(read)
        path.unlink()
        return None if found is None else f"{found}\n{text[:2500]}"

    return case
