//! Pipe ends that can be released while a thread waits for them.
//!
//! A process that a subject started may keep the other end of a pipe open for an unlimited time. A thread that reads or
//! writes a pipe of this module returns as soon as the [`Holder`] is dropped, and closes the pipe.

#[cfg(unix)]
pub(super) use self::unix::{Holder, reader, writer};

#[cfg(unix)]
mod unix {
    use std::io::{self, PipeReader, PipeWriter, Read, Write};
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    use rustix::pipe::PIPE_BUF;

    /// Keeps one end of a pipe usable. If the holder is dropped, reading or writing ends.
    pub(in crate::process) struct Holder(
        #[expect(dead_code, reason = "it is only kept alive")] PipeWriter,
    );

    /// The reading end of a pipe.
    pub(in crate::process) struct Reader<P>(P, PipeReader);

    /// The writing end of a pipe.
    pub(in crate::process) struct Writer<P>(P, PipeReader);

    pub(in crate::process) fn reader<P: AsFd>(pipe: P) -> io::Result<(Reader<P>, Holder)> {
        let (closed, holder) = io::pipe()?;
        Ok((Reader(pipe, closed), Holder(holder)))
    }

    pub(in crate::process) fn writer<P: AsFd>(pipe: P) -> io::Result<(Writer<P>, Holder)> {
        let (closed, holder) = io::pipe()?;
        Ok((Writer(pipe, closed), Holder(holder)))
    }

    impl<P: Read + AsFd> Read for Reader<P> {
        fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
            if is_ready(&self.0, PollFlags::IN, &self.1)? { self.0.read(octets) } else { Ok(0) }
        }
    }

    impl<P: Write + AsFd> Write for Writer<P> {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            if is_ready(&self.0, PollFlags::OUT, &self.1)? {
                // If a pipe is ready, it accepts this number of octets without blocking.
                self.0.write(&octets[..octets.len().min(PIPE_BUF)])
            } else {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }

    /// Waits until a pipe is ready or its other end is closed. Returns false if the holder was dropped.
    fn is_ready(pipe: &impl AsFd, wanted: PollFlags, closed: &PipeReader) -> io::Result<bool> {
        let mut ends = [PollFd::new(pipe, wanted), PollFd::new(closed, PollFlags::IN)];
        loop {
            match poll(&mut ends, None) {
                Ok(_) => return Ok(ends[1].revents().is_empty()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Systems without poll cannot release an end early: a thread returns when the other end closes.
#[cfg(not(unix))]
pub(super) struct Holder;

#[cfg(not(unix))]
pub(super) fn reader<P>(pipe: P) -> std::io::Result<(P, Holder)> {
    Ok((pipe, Holder))
}

#[cfg(not(unix))]
pub(super) fn writer<P>(pipe: P) -> std::io::Result<(P, Holder)> {
    Ok((pipe, Holder))
}
