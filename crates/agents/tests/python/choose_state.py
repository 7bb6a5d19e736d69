"""The state under both sets of names, as attributes and as keys."""


def choose(state, limits):
    assert state.pits == state.a == state["pits"] and state.opponent_pits == state["b"]
    assert state.store == state.a_fin and state.opponent_store == state.b_fin
    assert state.legal == [i for i, seeds in enumerate(state.pits) if seeds]
    assert limits.time_ms is None or limits.time_left() <= limits.time_ms
    return state.legal[-1]
