//! Retrieves a page by FTP, with an anonymous login, a passive data connection and one RETR command.

use suppaftp::types::{FileType, Mode};
use suppaftp::{FtpError, FtpStream};
use url::Url;

/// Fetches a file.
///
/// # Errors
///
/// Returns an error if the server cannot be reached or does not send the file.
pub(crate) fn page(url: &Url) -> Result<Vec<u8>, FtpError> {
    let host = url.host_str().unwrap_or_default();
    let mut ftp = FtpStream::connect((host, url.port().unwrap_or(21)))?;
    ftp.set_mode(Mode::Passive);
    ftp.set_passive_nat_workaround(true);
    ftp.login("anonymous", "anonymous@")?;
    ftp.transfer_type(FileType::Binary)?;
    Ok(ftp.retr_as_buffer(url.path())?.into_inner())
}
