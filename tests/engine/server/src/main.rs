//! The local engine's command: reads flags, loads the sample data and serves on 127.0.0.1.
#![forbid(unsafe_code)]

use std::io::Write;
use std::net::Ipv4Addr;
use std::process::ExitCode;

use clap::Parser;
use hotdata_local_engine::engine::Engine;
use hotdata_local_server::options::Cli;
use hotdata_local_server::{ServerState, seed, serve};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    match run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("hotdata-local-engine: {message}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<(), String> {
    // Taken before the seed, which takes seconds: a busy port is told at once.
    let port = cli.port()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|e| format!("cannot listen on 127.0.0.1:{port}: {e}"))?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;

    let options = cli.server_options()?;
    let engine = Engine::open(cli.engine_options()?).map_err(|e| e.to_string())?;
    if cli.seed || cli.scale.is_some() {
        let database = seed::papers(&engine, |step| eprintln!("{step}"))
            .await
            .map_err(|e| format!("the sample data did not load: {e}"))?;
        if let Some(rows) = cli.scale {
            seed::scaled(&engine, &database, rows, |step| eprintln!("{step}"))
                .await
                .map_err(|e| format!("the generated rows did not load: {e}"))?;
        }
        say(&format!("database papers: {}", database.id))?;
    }

    let others = cli
        .workspace
        .iter()
        .map(|id| {
            let other = Engine::open(cli.engine_options_of(id)?).map_err(|e| e.to_string())?;
            Ok((id.clone(), other))
        })
        .collect::<Result<Vec<_>, String>>()?;
    let state = ServerState::with_workspaces(engine, others, options);
    // Listened for before the line below: whoever reads it may stop the server at once.
    let stop_asked = stop_asked()?;
    say(&format!("listening on http://{address}"))?;
    tokio::select! {
        served = serve(listener, state) => served.map_err(|e| e.to_string()),
        () = stop_asked => Ok(()),
    }
}

/// Prints a line at once: whoever started the server reads it through a pipe.
fn say(line: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|e| e.to_string())
}

/// Ends when the process is asked to stop. The signals are held from the call on, not from the first poll.
#[cfg(unix)]
fn stop_asked() -> Result<impl Future<Output = ()>, String> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt()).map_err(|e| e.to_string())?;
    let mut terminate = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    Ok(async move {
        tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
    })
}

#[cfg(not(unix))]
fn stop_asked() -> Result<impl Future<Output = ()>, String> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
