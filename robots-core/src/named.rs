//! The macros [`named!`](crate::named) and [`as_text!`](crate::as_text), for types whose values have names or a text
//! form.
//!
//! The macros generate the code that these types share: `Display`, `FromStr` with the error [`UnknownName`], and the
//! implementations of serde's traits.

use core::fmt;

/// Implements reading and writing a type by the names of its values: `Display`, and `FromStr` with the error
/// [`UnknownName`]. The type must have the constant `ALL`, and a method that returns the name of a value. The error
/// message lists the names. A type can choose the values that the message lists, and can add a mark to each of them.
/// The macro is public only because `robots-lint` uses it.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($type:ident, $name:ident, $what:literal, $whats:literal) => {
        $crate::named!($type, $name, $what, $whats, |text: &str| {
            $type::ALL.iter().copied().find(|known| known.$name() == text)
        });
    };
    ($type:ident, $name:ident, $what:literal, $whats:literal, $find:expr) => {
        $crate::named!(
            $type,
            $name,
            $what,
            $whats,
            $find,
            $type::ALL.iter().copied(),
            |_: $type| ""
        );
    };
    ($type:ident, $name:ident, $what:literal, $whats:literal, $find:expr, $listed:expr, $mark:expr) => {
        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.$name())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = $crate::error::UnknownName;

            #[doc = concat!("Reads the name of a value.\n\n# Errors\nReturns an error that lists the ", $whats, ", if the text names none.")]
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let find: fn(&str) -> Option<Self> = $find;
                find(text).ok_or($crate::error::UnknownName::new($what, |f| {
                    f.write_str(concat!("unknown ", $what, "; the ", $whats, " are"))?;
                    let mark: fn($type) -> &'static str = $mark;
                    for (position, known) in $listed.enumerate() {
                        let comma = if position == 0 { "" } else { "," };
                        write!(f, "{comma} {known}{}", mark(known))?;
                    }
                    Ok(())
                }))
            }
        }
    };
}

/// The error of a text that names no value of a type, for example no [`Edition`](crate::Edition). The message lists the
/// names.
///
/// ```
/// use robots_core::syntax::Field;
/// let error = "alow".parse::<Field>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown field; the fields are "));
/// ```
#[derive(Clone, Copy)]
pub struct UnknownName {
    /// The type whose values have names, in words.
    what: &'static str,
    message: fn(&mut fmt::Formatter<'_>) -> fmt::Result,
}

impl UnknownName {
    /// Makes the error. It is public only because the macro [`named!`](crate::named) uses it in other crates.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        what: &'static str,
        message: fn(&mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> Self {
        Self { what, message }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.message)(f)
    }
}

impl fmt::Debug for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnknownName").field(&self.what).finish()
    }
}

impl PartialEq for UnknownName {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Eq for UnknownName {}

impl core::error::Error for UnknownName {}

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
