//! The macro [`named!`](crate::named), for types whose values have names.

/// Writes the names of a type: its `Display`, its `FromStr`, and the error of a text that names no value.
///
/// The type has `ALL`, and a method that returns the name of a value. The error lists the names. A third-party crate
/// has no use for it; `robots-lint` has.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($type:ident, $name:ident, $error:ident, $what:literal, $whats:literal) => {
        $crate::named!($type, $name, $error, $what, $whats, |text: &str| {
            $type::ALL.iter().copied().find(|known| known.$name() == text)
        });
    };
    ($type:ident, $name:ident, $error:ident, $what:literal, $whats:literal, $find:expr) => {
        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.$name())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = $error;

            #[doc = concat!("Reads the name of a value; the error lists the ", $whats, ".")]
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let find: fn(&str) -> Option<Self> = $find;
                find(text).ok_or($error(()))
            }
        }

        #[doc = concat!("The error of a text that names no ", $what, "; its message lists the ", $whats, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $error(());

        impl ::core::fmt::Display for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(concat!("unknown ", $what, "; the ", $whats, " are"))?;
                for (position, known) in $type::ALL.iter().enumerate() {
                    write!(f, "{} {known}", if position == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }

        impl ::core::error::Error for $error {}
    };
}
