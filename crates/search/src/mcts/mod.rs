//! mcts
