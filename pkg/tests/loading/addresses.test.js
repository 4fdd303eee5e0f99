// Which hosts a URL may name, in every spelling.

import { test } from "node:test";
import { assert } from "chai";
import { failure, open, refuses } from "./support.js";

const PRIVATE = {
  "an address of the range": [
    // One loopback address, as it can be written.
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7F.1",
    "017700000001",
    "0177.0.0.01",
    "127.00.00.0x1",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.0.0.1",
    // One of every other range.
    "0.0.0.0",
    "0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "127.255.255.254",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.0.1",
    "192.168.257",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000::0001]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::a00:1]",
    "[100::1]",
    "[2001::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[3fff::1]",
    "[5f00::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[ff0e::1]",
  ],
  "an address outside the public range": [
    "[::127.0.0.1]",
    "[::a00:1]",
    "[4000::1]",
    "[8000::1]",
    "[200::1]",
    "[fe00::1]",
  ],
  "a name without a domain": ["intranet", "db", "instance-data", "metadata", "a.", "co。"],
  "a name under": [
    "localhost.",
    "a.localhost",
    "LOCALHOST.localdomain",
    "loｃalhost.local",
    "printer.local",
    "metadata.google.internal",
    "metadata.google.internal.",
    "ip-10-0-0-1.ec2.internal",
    "nas.home",
    "router.home.arpa",
    "wiki.corp",
    "box.lan",
    "box.lan..",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    "a.private",
    "a.intranet",
  ],
  "a cloud's metadata service": ["metadata.goog", "METADATA.tencentyun.com.", "168.63.129.16"],
};

const PUBLIC = [
  "example.com",
  "example.com.",
  "localhost.example.com",
  "local.example",
  "xn--bcher-kva.example",
  "bücher.example",
  "8.8.8.8",
  "1.1",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "192.169.0.1",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.255",
  "[2606:4700:4700::1111]",
  "[2a00:1450:4001::1]",
];

/** What is refused before the range is looked at. */
const NO_URL = [
  "[fe80::1%25eth0]",
  "[fe80::1%eth0]",
  "[::1",
  "127.0.0.1.5.6.7",
  "256.0.0.1",
  "a b",
];

for (const [kind, hosts] of Object.entries(PRIVATE)) {
  test(`private: ${kind}`, async () => {
    for (const host of hosts) {
      for (const url of [`http://${host}/a.csv`, `https://${host}:8443/a.csv`]) {
        const error = await refuses({ url }, /^`url` must not name /, {
          hint: /allowPrivateHosts/,
        });
        // A name under .localhost may be told as one without a domain.
        assert.match(error.message, new RegExp(`${kind}|without a domain`), host);
      }
    }
  });
}

test("public hosts are asked", async () => {
  for (const host of PUBLIC) {
    /** @type {string[]} */
    const asked = [];
    const answer = /** @type {any} */ (
      async (/** @type {string} */ url) => {
        asked.push(url);
        return new Response("a\n1\n", { headers: { "content-type": "text/csv" } });
      }
    );
    const source = await open({ url: `https://${host}/a.csv` }, { fetch: answer });
    await source.close();
    assert.deepEqual(asked, [new URL(`https://${host}/a.csv`).href]);
  }
});

test("what is no host at all is refused", async () => {
  for (const host of NO_URL) await refuses({ url: `http://${host}/` }, /^`url` must /);
});

test("a redirect to a private host is not followed", async () => {
  // A header holds nothing but Latin letters.
  const hosts = Object.values(PRIVATE)
    .flat()
    .filter((host) => /^[ -~]+$/.test(host));
  for (const location of hosts.flatMap((host) => [`https://${host}/`, `//${host}`])) {
    let asked = 0;
    const redirect = /** @type {any} */ (
      async () => {
        asked++;
        return new Response(null, { status: 302, headers: { location } });
      }
    );
    const error = await failure(open({ url: "https://a.example/" }, { fetch: redirect }));
    assert.equal(error.code, "unexpected_response", location);
    assert.match(error.message, /^`url` redirects to /, location);
    assert.equal(asked, 1);
  }
});
