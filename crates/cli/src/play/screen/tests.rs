//! Screens as people see them.
