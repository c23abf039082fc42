"""Every test of the renderer computes on one thread unless it says otherwise."""

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread():
    """Sums are split among threads, so their last bits depend on how many there are."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
