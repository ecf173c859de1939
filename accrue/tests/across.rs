//! Calls across ranks that are threads, beside the sequential loop over the items of all of them.

mod across {
    #[cfg(feature = "sim")]
    mod devices;
    mod faults;
    mod forms;
    mod ranks;
}
