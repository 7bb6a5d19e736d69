"""A module beside an agent that imports it, because students split their code into files."""


def first_of(cells):
    return next(i for i, seeds in enumerate(cells) if seeds)
