"""From a wheel or a checkout of verl to one data file: facts only, nothing of verl is run.

The one room beside `compose/` that may import Hydra, and only inside functions.
"""

from __future__ import annotations
