//! What can go wrong between a call and its result, and what to do instead.
//!
//! Three kinds read differently. *The machine's*: no driver, no device, no memory; a plain call falls
//! back to the CPU for these. *The loop's own*: a bin out of range, a division by zero; a plain call
//! panics for these as the sequential loop does. *The caller's*: a setting that does not parse, a
//! strategy that does not apply.

use std::fmt;

use crate::base::device::Device;

/// Why an offloaded call, or an operation on device memory, did not happen.
///
/// `try_call` of an offloaded function's companion returns it. A plain call turns it into the sequential
/// loop's panic or falls back to the CPU; [`Error::is_machine`] tells which.
///
/// ```
/// let error = "gpu".parse::<accrue::Device>().unwrap_err();
/// assert!(error.to_string().starts_with("`gpu` is not a device"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The NVIDIA driver is not installed, or too old to have the functions that are called.
    DriverNotFound {
        /// What was looked for and what the system answered.
        why: String,
    },
    /// The device exists only in builds with a cargo feature of `accrue` that this build lacks.
    FeatureOff {
        /// The device that was asked for.
        device: Device,
        /// The feature to enable.
        feature: &'static str,
    },
    /// The driver is there and the device is not.
    NoSuchDevice {
        /// The ordinal that was asked for.
        asked: u32,
        /// How many devices the driver lists.
        present: u32,
    },
    /// The driver's compiler does not accept a kernel.
    PtxUnsupported {
        /// The kernel.
        kernel: String,
        /// The device, with its compute capability and the driver's version.
        device: String,
        /// What the compiler said, a line per message.
        log: String,
    },
    /// The device has not enough free memory.
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes free at that moment.
        free: u64,
        /// The device's name.
        device: String,
    },
    /// The data of a call are larger than what it may take of the device's memory, and it cannot run in pieces that fit.
    TooLarge {
        /// The function.
        function: String,
        /// Bytes of the call's data that are not on the device.
        bytes: u64,
        /// Bytes that it may take.
        room: u64,
        /// The device's name.
        device: String,
        /// Why no pieces fit.
        reason: String,
    },
    /// An update of a bin that the array does not have. No bin has been changed.
    BinOutOfRange {
        /// The bin array, as the loop names it.
        array: String,
        /// The index, of the dimension that was exceeded.
        index: u64,
        /// The length of that dimension.
        len: u64,
        /// The earliest iteration that does it, from 0.
        iteration: u64,
    },
    /// A read of an element that an array does not have. No bin has been changed.
    ReadOutOfRange {
        /// The array, as the loop names it.
        array: String,
        /// The index, of the dimension that was exceeded.
        index: u64,
        /// The length of that dimension.
        len: u64,
        /// The earliest iteration that does it, from 0.
        iteration: u64,
    },
    /// A write of an element that an array does not have. No bin has been changed; elements that iterations write have their old or
    /// their new values.
    WriteOutOfRange {
        /// The array, as the loop names it.
        array: String,
        /// The index, of the dimension that was exceeded.
        index: u64,
        /// The length of that dimension.
        len: u64,
        /// The earliest iteration that does it, from 0.
        iteration: u64,
    },
    /// Two iterations use the same element of an array of which `distinct(..)` says that they do not. Nothing has been changed.
    NotDistinct {
        /// The array, as the attribute names it.
        array: String,
        /// The element, of the outermost dimension.
        element: u64,
        /// The iterations, from 0, the earlier one first: the first two that meet.
        iterations: [u64; 2],
    },
    /// The loop's body panics: a division by zero, a checked overflow, a `panic!`. No bin has been changed.
    Panicked {
        /// The panic's message.
        message: String,
        /// The earliest iteration that does it, from 0, where it is known.
        iteration: Option<u64>,
    },
    /// The driver refused or aborted a kernel.
    Launch {
        /// The kernel.
        kernel: String,
        /// The driver's name for the failure and its explanation.
        status: String,
    },
    /// The device's context is lost, to a kernel that failed or to somebody in the process who has destroyed it, and with it everything
    /// that was on the device.
    ContextLost {
        /// The device.
        device: Device,
        /// How, and why it is not opened anew, where it is not.
        why: String,
        /// What to do.
        instead: String,
    },
    /// A driver call failed for another reason.
    Driver {
        /// The call.
        call: &'static str,
        /// The driver's name for the failure and its explanation.
        status: String,
    },
    /// The simulator stopped at an error in a kernel: a race, an access out of bounds, an unknown instruction. That is a
    /// defect of accrue's, with which the call panics on that device; it is never returned, nor does the loop run on the CPU
    /// then.
    Simulator {
        /// The kernel.
        kernel: String,
        /// The simulator's report: the PTX line, the thread, what happened.
        report: String,
    },
    /// An environment variable has a value that means nothing.
    BadSetting {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: String,
    },
    /// A text that should name a device does not.
    BadDevice {
        /// The text.
        text: String,
    },
    /// The strategy that was asked for cannot run this loop.
    StrategyNotApplicable {
        /// The strategy.
        strategy: String,
        /// Why it cannot.
        reason: String,
        /// The strategies that can.
        instead: Vec<String>,
    },
    /// The loop has no kernel for the device: its body cannot be expressed there.
    NotOnDevice {
        /// The function.
        function: String,
        /// What in the body stands in the way.
        reason: String,
    },
    /// Two lengths that must agree do not.
    LengthMismatch {
        /// What was to be done.
        what: &'static str,
        /// The length it needs, in elements.
        expected: u64,
        /// The length it got, in elements.
        found: u64,
    },
    /// A call cannot be part of a recording, or one cannot be replayed.
    NotRecorded {
        /// Why.
        reason: String,
    },
    /// What went wrong in a recorded call. Its bins are as before it.
    InCall {
        /// The call's number in the recording, from 0.
        call: u64,
        /// Its kernel.
        kernel: String,
        /// What it was.
        error: Box<Error>,
    },
    /// What went wrong on one of several devices. Bins are as before the call.
    OnDevice {
        /// Which of them: its number and its name.
        device: String,
        /// What it was.
        error: Box<Error>,
    },
    /// A chunk of data could not be read.
    Input {
        /// What the reader said.
        why: String,
    },
    /// What went wrong with a chunk of a call of `over`. Bins are as before the call.
    InChunk {
        /// The chunk's number, from 0.
        chunk: u64,
        /// Elements in the chunks before it.
        first: u64,
        /// What it was; its iterations count from the chunk's beginning.
        error: Box<Error>,
    },
    /// Memory of one device was passed to another.
    WrongDevice {
        /// The array.
        what: String,
        /// Where it is.
        found: Device,
        /// Where it was needed.
        expected: Device,
    },
    /// A rank's part of a call across ranks went wrong. Every rank gets this error, and has its bins as before the call.
    OnRank {
        /// The rank: of several the first one.
        rank: usize,
        /// What went wrong there, cut off where it is long.
        message: String,
        /// Whether it is what that rank's machine lacks, as [`Error::is_machine`] says.
        machine: bool,
        /// Whether it is the loop's own fault, as [`Error::is_fault`] says.
        fault: bool,
    },
    /// Ranks that are to do one call together do not do the same: they call other functions, have come to other loops of
    /// it, or their bins do not start alike. Every rank gets this error, and has its bins as before the call.
    RanksDiffer {
        /// The function.
        function: String,
        /// In what.
        why: String,
    },
    /// A collective operation failed, in the words of who offers it.
    Collective {
        /// The operation.
        operation: &'static str,
        /// Why.
        why: String,
    },
}

impl Error {
    /// Whether the machine is at fault: another device may well do the same call. A plain call falls back to the CPU
    /// for these and logs one line.
    pub fn is_machine(&self) -> bool {
        match self {
            Error::InChunk { error, .. }
            | Error::OnDevice { error, .. }
            | Error::InCall { error, .. } => error.is_machine(),
            Error::DriverNotFound { .. }
            | Error::FeatureOff { .. }
            | Error::NoSuchDevice { .. }
            | Error::PtxUnsupported { .. }
            | Error::OutOfMemory { .. }
            | Error::TooLarge { .. }
            | Error::Launch { .. }
            | Error::ContextLost { .. }
            | Error::Driver { .. }
            | Error::Simulator { .. }
            | Error::NotOnDevice { .. }
            | Error::Collective { .. } => true,
            Error::OnRank { machine, .. } => *machine,
            Error::BinOutOfRange { .. }
            | Error::ReadOutOfRange { .. }
            | Error::WriteOutOfRange { .. }
            | Error::NotDistinct { .. }
            | Error::Panicked { .. }
            | Error::BadSetting { .. }
            | Error::BadDevice { .. }
            | Error::StrategyNotApplicable { .. }
            | Error::LengthMismatch { .. }
            | Error::Input { .. }
            | Error::NotRecorded { .. }
            | Error::RanksDiffer { .. }
            | Error::WrongDevice { .. } => false,
        }
    }

    /// Whether the loop itself is at fault: the sequential loop would panic on the same arguments.
    pub fn is_fault(&self) -> bool {
        if let Error::InChunk { error, .. }
        | Error::OnDevice { error, .. }
        | Error::InCall { error, .. } = self
        {
            return error.is_fault();
        }
        matches!(
            self,
            Error::BinOutOfRange { .. }
                | Error::ReadOutOfRange { .. }
                | Error::WriteOutOfRange { .. }
                | Error::Panicked { .. }
                | Error::OnRank { fault: true, .. }
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::DriverNotFound { why } => write!(
                f,
                "no usable NVIDIA driver: {why}\nhelp: install the driver (460 or newer), or choose the CPU: ACCRUE_DEVICE=cpu"
            ),
            Error::FeatureOff { device, feature } => write!(
                f,
                "the device `{device}` is not part of this build\nhelp: depend on accrue with `features = [\"{feature}\"]`"
            ),
            Error::NoSuchDevice { asked, present: 0 } => {
                write!(
                    f,
                    "no device `cuda:{asked}`: the driver lists no GPU\nhelp: is CUDA_VISIBLE_DEVICES set to nothing?"
                )
            }
            Error::NoSuchDevice { asked, present } => write!(
                f,
                "no device `cuda:{asked}`: the driver lists {present}, `cuda:0`{}",
                if *present > 1 {
                    format!(" to `cuda:{}`", present - 1)
                } else {
                    String::new()
                }
            ),
            Error::PtxUnsupported {
                kernel,
                device,
                log,
            } => {
                write!(
                    f,
                    "the driver cannot compile the kernel `{kernel}` for {device}"
                )?;
                for line in log.lines() {
                    write!(f, "\n  | {line}")?;
                }
                write!(
                    f,
                    "\nhelp: kernels need compute capability 7.0 or later and a driver for CUDA 11.2 or later; or choose the CPU: ACCRUE_DEVICE=cpu"
                )
            }
            Error::OutOfMemory {
                asked,
                free,
                device,
            } => write!(
                f,
                "out of memory on {device}: asked for {}, {} are free",
                Bytes(*asked),
                Bytes(*free)
            ),
            Error::TooLarge {
                function,
                bytes,
                room,
                device,
                reason,
            } => write!(
                f,
                "`{function}` has {} of data, may take {} of {device}, and cannot run in pieces: {reason}\nhelp: give it more (`ACCRUE_MEMORY`, `accrue::with_memory`), or choose the CPU: ACCRUE_DEVICE=cpu",
                Bytes(*bytes),
                Bytes(*room)
            ),
            Error::BinOutOfRange {
                array,
                index,
                len,
                iteration,
            } => write!(
                f,
                "index out of bounds: the len is {len} but the index is {index} (bins `{array}`, iteration {iteration})"
            ),
            Error::ReadOutOfRange {
                array,
                index,
                len,
                iteration,
            } => write!(
                f,
                "index out of bounds: the len is {len} but the index is {index} (reading `{array}`, iteration {iteration})"
            ),
            Error::WriteOutOfRange {
                array,
                index,
                len,
                iteration,
            } => write!(
                f,
                "index out of bounds: the len is {len} but the index is {index} (writing `{array}`, iteration {iteration})"
            ),
            Error::NotDistinct {
                array,
                element,
                iterations: [first, second],
            } => write!(
                f,
                "iterations {first} and {second} both use `{array}[{element}]`, and `distinct({array})` says that no two iterations use the same element"
            ),
            Error::Panicked {
                message,
                iteration: Some(i),
            } => write!(f, "{message} (iteration {i})"),
            Error::Panicked {
                message,
                iteration: None,
            } => f.write_str(message),
            Error::Launch { kernel, status } => write!(f, "the kernel `{kernel}` failed: {status}"),
            Error::ContextLost {
                device,
                why,
                instead,
            } => write!(
                f,
                "the context of the device `{device}` is lost: {why}\nhelp: {instead}"
            ),
            Error::Driver { call, status } => write!(f, "the driver call {call} failed: {status}"),
            Error::Simulator { kernel, report } => {
                write!(f, "the simulator stopped the kernel `{kernel}`: {report}")
            }
            Error::BadSetting {
                variable,
                value,
                expected,
            } => {
                write!(f, "{variable}={value} means nothing\nhelp: {expected}")
            }
            Error::BadDevice { text } => {
                write!(
                    f,
                    "`{text}` is not a device\nhelp: one of {}",
                    Device::EXPECTED
                )
            }
            Error::StrategyNotApplicable {
                strategy,
                reason,
                instead,
            } => {
                write!(f, "the strategy `{strategy}` does not apply: {reason}")?;
                match instead.split_last() {
                    None => Ok(()),
                    Some((only, [])) => write!(f, "\nhelp: `{only}` does"),
                    Some((last, rest)) => {
                        write!(f, "\nhelp: {} and `{last}` do", List(rest))
                    }
                }
            }
            Error::NotOnDevice { function, reason } => {
                write!(
                    f,
                    "`{function}` has no kernel: {reason}\nhelp: `{function}::explain()` says more"
                )
            }
            Error::LengthMismatch {
                what,
                expected,
                found,
            } => {
                write!(
                    f,
                    "{what}: {expected} elements are needed, {found} were given"
                )
            }
            Error::NotRecorded { reason } => write!(f, "not recorded: {reason}"),
            Error::InCall {
                call,
                kernel,
                error,
            } => write!(f, "recorded call {call} (`{kernel}`): {error}"),
            Error::OnDevice { device, error } => write!(f, "{device}: {error}"),
            Error::Input { why } => write!(f, "the data could not be read: {why}"),
            Error::InChunk {
                chunk,
                first,
                error,
            } => write!(f, "chunk {chunk}, from element {first} on: {error}"),
            Error::WrongDevice {
                what,
                found,
                expected,
            } => write!(
                f,
                "`{what}` is on device `{found}` and the call runs on `{expected}`\nhelp: create the buffer inside `accrue::with_device`, or copy it"
            ),
            Error::OnRank { rank, message, .. } => write!(f, "rank {rank}: {message}"),
            Error::RanksDiffer { function, why } => {
                write!(f, "the ranks do not make one call of `{function}`: {why}")
            }
            Error::Collective { operation, why } => {
                write!(f, "the ranks' {operation} failed: {why}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::InChunk { error, .. }
            | Error::OnDevice { error, .. }
            | Error::InCall { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// A number of bytes, as people read it.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
        if self.0 < 1024 {
            return write!(f, "{} bytes", self.0);
        }
        let mut value = self.0 as f64 / 1024.0;
        let mut unit = 0;
        while value >= 1023.95 && unit + 1 < UNITS.len() {
            value /= 1024.0;
            unit += 1;
        }
        write!(f, "{value:.1} {}", UNITS[unit])
    }
}

/// Names in backquotes, with commas.
struct List<'a>(&'a [String]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "`{name}`")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_and_what_instead() {
        let error = Error::BinOutOfRange {
            array: "hist".into(),
            index: 9,
            len: 4,
            iteration: 17,
        };
        assert!(
            error
                .to_string()
                .starts_with("index out of bounds: the len is 4 but the index is 9")
        );
        assert!(error.is_fault() && !error.is_machine());

        let error = Error::StrategyNotApplicable {
            strategy: "gang_shared".into(),
            reason: "the bins need 8.0 MiB and a gang has 227.0 KiB".into(),
            instead: vec![
                "atomic_global".into(),
                "gang_global".into(),
                "gang_window".into(),
            ],
        };
        assert_eq!(
            error.to_string().lines().last(),
            Some("help: `atomic_global`, `gang_global` and `gang_window` do")
        );
        let error = Error::NoSuchDevice {
            asked: 3,
            present: 2,
        };
        assert_eq!(
            error.to_string(),
            "no device `cuda:3`: the driver lists 2, `cuda:0` to `cuda:1`"
        );
    }

    #[test]
    fn bytes_read_well() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (232_448, "227.0 KiB"),
            ((1 << 20) - 1, "1.0 MiB"),
            (1 << 40, "1.0 TiB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
