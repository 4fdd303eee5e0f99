// Which hosts a server may be sent to. By what a URL says alone: no runtime here lets us see what a name resolves to.

import ipaddr from "../vendor/ipaddr.js";

/** Names for inside a network or a machine, with all that ends in them. Single labels are private by themselves. */
const PRIVATE_SUFFIXES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "home.arpa",
  "lan",
  "svc",
];
/** Where clouds tell a machine its credentials, apart from what is private by its address or name. */
const METADATA_HOSTS = ["metadata.goog", "metadata.tencentyun.com", "168.63.129.16"];

/**
 * Why a host is not a public one.
 *
 * @param {string} hostname as `URL` gives it: IPv4 in four decimal parts, IPv6 in brackets, names in lower case
 * @returns {string | undefined} what it is; nothing for a public host
 */
export function privateHost(hostname) {
  if (METADATA_HOSTS.includes(hostname)) return "a cloud's metadata service";
  if (hostname.startsWith("[")) return privateIPv6(hostname.slice(1, -1));
  if (ipaddr.IPv4.isValidFourPartDecimal(hostname)) {
    const range = ipaddr.IPv4.parse(hostname).range();
    return range === "unicast" ? undefined : `an address of the range ${range}`;
  }
  const name = hostname.replace(/\.+$/, "");
  if (METADATA_HOSTS.includes(name)) return "a cloud's metadata service";
  if (!name.includes(".")) return "a name without a domain";
  const suffix = PRIVATE_SUFFIXES.find((one) => name === one || name.endsWith(`.${one}`));
  return suffix && `a name under .${suffix}`;
}

/** @param {string} text */
function privateIPv6(text) {
  const address = ipaddr.IPv6.parse(text);
  const range = address.range();
  if (range !== "unicast") return `an address of the range ${range}`;
  // All public addresses so far; the rest is not given out.
  const isGlobal = ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return isGlobal ? undefined : "an address outside the public range 2000::/3";
}
