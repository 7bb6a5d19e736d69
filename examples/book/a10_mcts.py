"""Monte Carlo tree search: plays random games to their end, and looks more often where they went well (UCT)."""

import math
import random

from a06_deepening import Budget, OutOfTime
from kalah import board_of, lead, moves, play

C = 0.7


class Node:
    def __init__(self, board):
        self.board, self.visits, self.total = board, 0, 0.0
        self.children = {}  # pit -> (node, whether the same player moves there)
        self.untried = moves(board)
        random.shuffle(self.untried)

    def score(self, child, again):
        """How promising a child is to the player to move here: its share of wins, and more if it was seldom tried."""
        mean = child.total / child.visits
        return (mean if again else 1 - mean) + C * math.sqrt(math.log(self.visits) / child.visits)


def playout(board):
    """Random moves to the end: 1 if the player to move here wins, 0.5 for a draw, 0 for a loss."""
    own = True
    while moves(board):
        board, again = play(board, random.choice(moves(board)))
        own = own == again
    result = lead(board) if own else -lead(board)
    return 1.0 if result > 0 else 0.5 if result == 0 else 0.0


def visit(node):
    """One game through the node; gives its result for the player to move there."""
    if node.untried:
        pit = node.untried.pop()
        board, again = play(node.board, pit)
        child = Node(board)
        node.children[pit] = child, again
        result = playout(board)
        child.visits, child.total = 1, result
    elif node.children:
        child, again = max(node.children.values(), key=lambda entry: node.score(*entry))
        result = visit(child)
    else:
        again, result = True, playout(node.board)
    result = result if again else 1 - result
    node.visits += 1
    node.total += result
    return result


def move(state, limits):
    random.seed(state.text)  # the same position always gets the same move, so that games can be repeated
    budget = Budget(limits, look_every=1)
    root = Node(board_of(state))
    try:
        while True:
            budget.spend()  # a random game is a node
            visit(root)
    except OutOfTime:
        pass
    if not root.children:
        return state.legal[0]
    return max(root.children, key=lambda pit: root.children[pit][0].visits)
