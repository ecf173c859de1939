//! The codes, each with a page in `docs/diagnostics.md`.

use std::fmt;

use super::Kind;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $kind:ident;)*) => {
        /// The kind of a finding. Its number never changes its meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// Its number: 1 for `accrue::H001`.
            pub fn number(self) -> u16 {
                match self { $(Code::$name => $number,)* }
            }

            /// Whose fault it is.
            pub fn kind(self) -> Kind {
                match self { $(Code::$name => Kind::$kind,)* }
            }

            /// Whether it is about what leaves the parallel loop.
            pub fn is_way_out(self) -> bool {
                matches!(self, Code::Break | Code::Return | Code::Question)
            }
        }
    };
}

codes! {
    /// The attribute's arguments or the function cannot be parsed.
    Syntax = 1, YourCode;
    /// An attribute argument that does not exist or has a wrong value.
    Argument = 2, YourCode;
    /// The attribute stands on something other than a function.
    NotAFunction = 3, YourCode;
    /// `async fn`.
    AsyncFn = 4, YourCode;
    /// `const fn`.
    ConstFn = 5, YourCode;
    /// No `for` loop.
    NoLoop = 10, YourCode;
    /// No loop updates a captured array or variable.
    NoUpdate = 11, YourCode;
    /// An iteration expression that cannot be split into parts.
    Iteration = 12, OurLimitation;
    /// `break` out of the parallel loop.
    Break = 13, YourCode;
    /// `return` out of the parallel loop.
    Return = 14, YourCode;
    /// `?` out of the parallel loop.
    Question = 15, YourCode;
    /// `.await` in the parallel loop.
    Await = 16, YourCode;
    /// Bins are read other than by their update.
    BinsRead = 20, YourCode;
    /// The old value of a bin is kept for another use.
    OldValue = 21, YourCode;
    /// Two operators on one array.
    MixedOperators = 22, YourCode;
    /// An operator whose result depends on the order of the updates.
    OrderDependent = 23, YourCode;
    /// A bin's index depends on bins.
    IndexOnBins = 24, YourCode;
    /// The value combined in depends on bins.
    ValueOnBins = 25, YourCode;
    /// A write to a captured variable that is not an update.
    WriteVariable = 26, YourCode;
    /// A write to a captured array that is not an update.
    WriteArray = 27, YourCode;
    /// Bins or a captured mutable variable are handed to code that may do anything with them.
    Escapes = 28, YourCode;
    /// A closure mentions bins or a captured mutable variable.
    Closure = 29, YourCode;
    /// An unknown macro mentions bins or a captured mutable variable.
    Macro = 30, YourCode;
    /// An `unsafe` block mentions bins or a captured mutable variable.
    Unsafe = 31, YourCode;
    /// Bins that are not numbers in a slice, an array or a `Vec`.
    BinType = 32, YourCode;
    /// An operator that the bins' type does not have in an order-free form.
    BinOperator = 33, YourCode;
    /// Something that is not known to be plain data is handed on; rustc says it, of types.
    SharedState = 34, YourCode;
    /// An unknown macro mentions something that the iterations share.
    SharedMacro = 35, YourCode;
    /// The loop prints.
    Prints = 36, YourCode;
    /// `pure(..)` names what no loop calls.
    UnusedPure = 37, YourCode;
    /// A name of the standard library's that stands for something else; rustc says it.
    OtherName = 38, YourCode;
    /// The loop cannot be expressed for the device that the attribute requires.
    RequiredDevice = 40, OurLimitation;
    /// A device function that cannot be lowered.
    DeviceFunction = 41, OurLimitation;
    /// A device function that calls itself.
    Recursion = 42, YourCode;
    /// `derive(DeviceType)` on something other than a `repr(C)` struct of known fields.
    DeviceStruct = 43, YourCode;
    /// The name of a primitive type stands for another type.
    PrimitiveName = 44, YourCode;
    /// What the loop calls is not the device function that `uses(..)` leads to.
    AnotherFunction = 45, YourCode;
    /// A struct of the loop is not the one that `uses(..)` leads to.
    AnotherStruct = 46, YourCode;
    /// There is no type beside a device function.
    NoCompanion = 47, YourCode;
    /// A name in a pattern is a constant and does not look like one.
    PatternName = 48, YourCode;
    /// A device struct that does not lie in memory as C lays it out.
    DeviceLayout = 50, YourCode;
    /// A device struct that is aligned further than device memory.
    DeviceAlign = 51, YourCode;
    /// Bins in a type with an `Index` of its own, which rustc finds in what the macro emits.
    BinIndex = 52, YourCode;
    /// An iteration reads or writes what another one writes.
    Dependence = 57, YourCode;
    /// More `#[cfg]`s on parameters than a function is written for.
    ConditionalParameters = 60, OurLimitation;
    /// What is combined into a carried scalar depends on what the loop writes.
    Carried = 61, YourCode;
    /// Which element of a `distinct(..)` array an iteration uses depends on what the loop writes.
    Distinct = 62, YourCode;
    /// A recurrence of floats, whose composition rounds otherwise.
    Reassociate = 63, YourCode;
    /// A function cannot be called across ranks, which rustc says where it is.
    Ranks = 64, YourCode;
    /// A type by a name of ndarray's or image's that is another, which rustc finds in what the macro emits.
    OtherArray = 65, YourCode;
    /// A stage left the IR inconsistent.
    Internal = 99, OurBug;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "accrue::H{:03}", self.number())
    }
}
