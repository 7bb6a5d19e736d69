"""A player for a well-known online course, which expects that course's board."""
from isolation import Board


class SearchTimeout(Exception):
    pass


def custom_score(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player))))


class IsolationPlayer:
    def __init__(self, search_depth=2, score_fn=custom_score, timeout=10.0):
        self.search_depth, self.score, self.TIMER_THRESHOLD = search_depth, score_fn, timeout
        self.time_left = None


class CustomPlayer(IsolationPlayer):
    def get_move(self, game, time_left):
        self.time_left = time_left
        assert isinstance(game, Board) and game.active_player is self
        legal = game.get_legal_moves()
        assert set(legal) <= set(game.get_blank_spaces())
        best = (-1, -1)
        value = float("-inf")
        for move in legal:
            after = game.forecast_move(move)
            assert after.get_player_location(self) == move and after.inactive_player is self
            assert after.move_count == game.move_count + 1
            replies = [self.score(after.forecast_move(reply), self) for reply in after.get_legal_moves()]
            found = min(replies, default=after.utility(self))
            if found >= value:
                best, value = move, found
            if self.time_left() < self.TIMER_THRESHOLD:
                break
        return best
