//! Serving on a socket in a way that lets a fault break off the connection.

use std::io::{self, ErrorKind, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

use crate::state::ServerState;

/// Serves until the task is dropped.
pub async fn serve(listener: TcpListener, state: ServerState) -> io::Result<()> {
    let app = crate::router(state).into_make_service_with_connect_info::<Connection>();
    axum::serve(Connections(listener), app).await
}

/// A request's connection.
#[derive(Debug, Clone, Default)]
pub struct Connection(Arc<AtomicBool>);

impl Connection {
    /// From now on nothing is read or written, and what closes the connection is a TCP reset.
    pub fn reset(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn is_reset(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    fn check(&self) -> io::Result<()> {
        if self.is_reset() { Err(ErrorKind::ConnectionReset.into()) } else { Ok(()) }
    }
}

struct Connections(TcpListener);

impl Listener for Connections {
    type Io = Stream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stream, SocketAddr) {
        let (tcp, address) = Listener::accept(&mut self.0).await;
        // A slow body's small pieces would else wait for each other's acknowledgement.
        let _ = tcp.set_nodelay(true);
        (Stream { tcp, connection: Connection::default() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, Connections>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        stream.io().connection.clone()
    }
}

struct Stream {
    tcp: TcpStream,
    connection: Connection,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.connection.is_reset() {
            // Closing without lingering sends a reset. Should that fail, the connection still closes.
            let _ = self.tcp.set_zero_linger();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.connection.check()?;
        Pin::new(&mut self.tcp).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.connection.check()?;
        Pin::new(&mut self.tcp).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.connection.check()?;
        Pin::new(&mut self.tcp).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.check()?;
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A shutdown would end the stream in order before the reset.
        self.connection.check()?;
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}
