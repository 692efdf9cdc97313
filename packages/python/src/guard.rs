//! Decides which addresses may be connected to. The class [`PublicOnly`] refuses addresses outside the public Internet.
//! A refusal is the Python exception `Refused`.

use std::net::IpAddr;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use robots_fetch::guard::{Connection, Guard};

use crate::arguments::quoted;

create_exception!(
    robots_verdicts,
    Refused,
    PyException,
    "A guard refuses a connection; the text is the reason."
);

/// Refuses addresses outside the public Internet.
#[pyclass(frozen, module = "robots_verdicts")]
pub(crate) struct PublicOnly(robots_fetch::guard::PublicOnly);

#[pymethods]
impl PublicOnly {
    /// Makes a guard. It also refuses connections through a proxy, unless the proxy is trusted to check addresses
    /// itself.
    #[new]
    #[pyo3(signature = (*, trust_proxy = false))]
    fn new(trust_proxy: bool) -> Self {
        use robots_fetch::guard::PublicOnly;
        Self(if trust_proxy { PublicOnly::trusting_the_proxy() } else { PublicOnly::default() })
    }

    /// Raises `Refused` if a connection is refused.
    #[pyo3(signature = (host, port, address, proxy = None))]
    fn __call__(&self, host: &str, port: u16, address: &str, proxy: Option<&str>) -> PyResult<()> {
        // The zone of a link-local address names an interface of this machine. The zone is not a part of the address.
        let text = address.split_once('%').map_or(address, |(address, _)| address);
        let address: IpAddr = text.parse().map_err(|_| {
            PyValueError::new_err(format!("{} is not an IP address", quoted(address)))
        })?;
        let connection = Connection::direct(host, port, address);
        let connection = proxy.map_or(connection, |proxy| connection.through(proxy));
        self.0.check(&connection).map_err(|refused| Refused::new_err(refused.to_string()))
    }

    #[expect(clippy::unused_self, reason = "a method of Python")]
    fn __repr__(&self) -> &'static str {
        "<PublicOnly>"
    }
}
