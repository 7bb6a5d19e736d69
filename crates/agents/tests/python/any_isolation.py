"""A function for every rule of Isolation."""


def move(state):
    assert len(state.free) <= state.rows * state.cols
    return state.legal[len(state.free) % len(state.legal)]
