//! Which host names and browser origins are this machine's.

/// `127.0.0.1`, `localhost` or `[::1]`, with any port or none.
pub fn is_loopback_authority(authority: &str) -> bool {
    const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
    HOSTS.iter().any(|host| {
        authority.get(..host.len()).is_some_and(|start| start.eq_ignore_ascii_case(host))
            && match authority[host.len()..].strip_prefix(':') {
                Some(port) => port.parse::<u16>().is_ok(),
                None => authority.len() == host.len(),
            }
    })
}

/// `http` or `https` on a loopback host.
pub fn is_loopback_origin(origin: &str) -> bool {
    origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"))
        .is_some_and(is_loopback_authority)
}
