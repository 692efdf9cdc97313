//! The macros [`named!`](crate::named) and [`as_text!`](crate::as_text), for types whose values have names or a text
//! form.
//!
//! The macros generate the code that these types share: `Display`, `FromStr`, the error for a text that names no value,
//! and the implementations of serde's traits.

/// Implements reading and writing a type by the names of its values: `Display`, `FromStr`, and the error for a text
/// that names no value. The type must have the constant `ALL`, and a method that returns the name of a value. The error
/// message lists the names. A type can choose the values that the message lists, and can add a mark to each of them.
/// The macro is public only because `robots-lint` uses it.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($type:ident, $name:ident, $error:ident, $what:literal, $whats:literal) => {
        $crate::named!($type, $name, $error, $what, $whats, |text: &str| {
            $type::ALL.iter().copied().find(|known| known.$name() == text)
        });
    };
    ($type:ident, $name:ident, $error:ident, $what:literal, $whats:literal, $find:expr) => {
        $crate::named!(
            $type,
            $name,
            $error,
            $what,
            $whats,
            $find,
            $type::ALL.iter().copied(),
            |_: $type| ""
        );
    };
    ($type:ident, $name:ident, $error:ident, $what:literal, $whats:literal, $find:expr, $listed:expr, $mark:expr) => {
        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.$name())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = $error;

            #[doc = concat!("Reads the name of a value.\n\n# Errors\nReturns an error that lists the ", $whats, ", if the text names none.")]
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
                let mark: fn($type) -> &'static str = $mark;
                for (position, known) in $listed.enumerate() {
                    write!(f, "{} {known}{}", if position == 0 { "" } else { "," }, mark(known))?;
                }
                Ok(())
            }
        }

        impl ::core::error::Error for $error {}
    };
}

/// Implements serde's traits for types that serialise as text: `Display` writes the text, and `FromStr` reads it.
///
/// A crate that uses the macro must depend on `serde_core`, and must have `alloc` in scope. The macro is only for the
/// crates of this workspace, such as `robots-lint`.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl ::serde_core::ser::Serialize for $type {
            fn serialize<S: ::serde_core::ser::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde_core::de::Deserialize<'de> for $type {
            fn deserialize<D: ::serde_core::de::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let text = <alloc::string::String as ::serde_core::de::Deserialize>::deserialize(
                    deserializer,
                )?;
                text.parse().map_err(::serde_core::de::Error::custom)
            }
        }
    )*};
}
