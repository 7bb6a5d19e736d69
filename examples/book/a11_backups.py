"""Monte Carlo tree search with implicit minimax backups: every node also keeps the minimax value of the stores below it, and
both together say how promising a child is."""

import math
import random

import a10_mcts
from a06_deepening import Budget, OutOfTime
from kalah import board_of, lead, play

ALPHA, C = 0.6, 0.4


class Node(a10_mcts.Node):
    def __init__(self, board):
        super().__init__(board)
        self.best = squashed(lead(board))  # what the stores say, for the player to move here

    def score(self, child, again):
        mean = child.total / child.visits
        both = (1 - ALPHA) * mean + ALPHA * child.best
        return (both if again else 1 - both) + C * math.sqrt(math.log(self.visits) / child.visits)


def squashed(margin):
    return 1 / (1 + math.exp(-margin / 4))


def visit(node):
    if node.untried:
        pit = node.untried.pop()
        board, again = play(node.board, pit)
        child = Node(board)
        node.children[pit] = child, again
        result = a10_mcts.playout(board)
        child.visits, child.total = 1, result
    elif node.children:
        child, again = max(node.children.values(), key=lambda entry: node.score(*entry))
        result = visit(child)
    else:
        again, result = True, a10_mcts.playout(node.board)
    if node.children and not node.untried:
        node.best = max(child.best if again_ else 1 - child.best for child, again_ in node.children.values())
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
