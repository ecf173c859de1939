//! Helpers of the test suites in this folder.
