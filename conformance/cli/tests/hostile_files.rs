//! Tests hostile deviations files that a user names on the command line.

#[path = "shared/hostile_yaml.rs"]
mod hostile_yaml;
#[path = "this/hostile_files.rs"]
mod this;
