/** The client's address: the addresses that `trustedProxies` accept, from right to left. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type FwError } from "../../../lib/index.ts"
import {
  clientAddress,
  forwardedAddresses,
  parseRanges,
  unmapped,
} from "../../../lib/request/client-address.ts"
import { viaSocket } from "../../support/contract/runner.ts"

type Headers = Readonly<Record<string, string>>

/** Trusted ranges, the socket's address, headers, and whose request it is. */
const rows: ReadonlyArray<
  readonly [name: string, trusted: string[], socket: string, headers: Headers, client: string]
> = [
  ["nobody is trusted by default", [], "10.0.0.1", { "x-forwarded-for": "1.1.1.1" }, "10.0.0.1"],
  [
    "a forwarded address from an untrusted peer does not count",
    ["10.0.0.0/8"],
    "9.9.9.9",
    { "x-forwarded-for": "1.1.1.1" },
    "9.9.9.9",
  ],
  [
    "a forwarded address from a trusted peer counts",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": "1.1.1.1" },
    "1.1.1.1",
  ],
  [
    "an address that the client wrote into the header does not count",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": "127.0.0.1, 1.1.1.1" },
    "1.1.1.1",
  ],
  [
    "a trusted address that the client wrote into the header does not count",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": "8.8.8.8, 10.0.0.9, 1.1.1.1" },
    "1.1.1.1",
  ],
  [
    "trusted hops are skipped",
    ["10.0.0.0/8", "192.168.1.1"],
    "10.0.0.1",
    { "x-forwarded-for": "6.6.6.6, 1.1.1.1, 192.168.1.1, 10.2.3.4" },
    "1.1.1.1",
  ],
  [
    "if all hops are trusted, the leftmost counts",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": "10.0.0.3,10.0.0.2" },
    "10.0.0.3",
  ],
  ["without the header, the address is the socket's", ["10.0.0.0/8"], "10.0.0.1", {}, "10.0.0.1"],
  [
    "an IPv4-mapped socket address matches an IPv4 range",
    ["10.0.0.0/8"],
    "::ffff:10.0.0.1",
    { "x-forwarded-for": "1.1.1.1" },
    "1.1.1.1",
  ],
  [
    "an IPv4-mapped hop matches an IPv4 range",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": "1.1.1.1, ::FFFF:10.0.0.2" },
    "1.1.1.1",
  ],
  [
    "IPv6 addresses match IPv6 ranges",
    ["fd00::/8", "::1"],
    "::1",
    { "x-forwarded-for": "2001:db8::1, fd12:3456::1" },
    "2001:db8::1",
  ],
  [
    "an IPv6 range is compared bit by bit",
    ["2001:db8::/33"],
    "2001:db8:7fff::1",
    { "x-forwarded-for": "::2, 2001:db8:8000::1" },
    "2001:db8:8000::1",
  ],
  [
    "an IPv6 address in brackets loses its port",
    ["::1"],
    "::1",
    { "x-forwarded-for": "[2001:db8::1]:4711" },
    "2001:db8::1",
  ],
  ["an IPv4 address loses its port", ["::1"], "::1", { "x-forwarded-for": "1.1.1.1:80" }, "1.1.1.1"],
  [
    "the zone of an IPv6 address is ignored",
    ["fe80::/10"],
    "fe80::1%eth0",
    { "x-forwarded-for": "1.1.1.1" },
    "1.1.1.1",
  ],
  [
    "a text that is not an address ends the search",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": "1.1.1.1, unknown" },
    "10.0.0.1",
  ],
  ["an empty hop ends the search", ["10.0.0.0/8"], "10.0.0.1", { "x-forwarded-for": "1.1.1.1," }, "10.0.0.1"],
  ["a script ends the search", ["10.0.0.0/8"], "10.0.0.1", { "x-forwarded-for": "<script>" }, "10.0.0.1"],
  [
    "a text with leading zeros is not an address",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": "1.1.1.01" },
    "10.0.0.1",
  ],
  [
    "the header Forwarded is read",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { forwarded: 'for=6.6.6.6, For="[2001:db8::17]:4711";proto=https;by=10.0.0.1' },
    "2001:db8::17",
  ],
  [
    "trusted hops in Forwarded are skipped",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { forwarded: "for=1.1.1.1;by=10.0.0.9, proto=http;for=10.0.0.2" },
    "1.1.1.1",
  ],
  [
    "a hidden hop in Forwarded ends the search",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { forwarded: "for=1.1.1.1, for=_hidden" },
    "10.0.0.1",
  ],
  [
    "a socket without an address gives an empty address",
    ["0.0.0.0/0"],
    "",
    { "x-forwarded-for": "1.1.1.1" },
    "",
  ],
  [
    "if everybody is trusted, the leftmost address counts",
    ["0.0.0.0/0", "::/0"],
    "5.5.5.5",
    { "x-forwarded-for": "1.1.1.1, 2.2.2.2" },
    "1.1.1.1",
  ],
]

for (const [name, trusted, socket, headers, client] of rows) {
  test(`c.clientIP: ${name}`, () => {
    const forwarded = forwardedAddresses((header) => headers[header] ?? "")
    assert.is(clientAddress(socket, forwarded, parseRanges(trusted)), client)
  })
}

for (const range of [
  "",
  "x",
  "10.0.0.0/33",
  "::/129",
  "10.0.0/8",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  "1:2:3",
  "::1::",
  "256.0.0.1",
  "10.0.0.0/-1",
  "localhost",
  ":::",
]) {
  test(`c.clientIP: trustedProxies refuses ${JSON.stringify(range)}`, () => {
    assert.throws(
      () => new App({ trustedProxies: [range] }),
      (error: FwError) => error.code === "trusted_proxies" && error.message.includes(JSON.stringify(range)),
    )
  })
}

test("c.clientIP: an IPv4-mapped address is written as IPv4", () => {
  assert.is(unmapped("::ffff:1.2.3.4"), "1.2.3.4")
  assert.is(unmapped("::1"), "::1")
})

const answer = (trustedProxies: string[]) => {
  const app = new App({ logger: false, trustedProxies })
  app.get("/", (c) => c.string(200, c.clientIP))
  return app
}
const asked = { path: "/", headers: { "x-forwarded-for": "6.6.6.6, 1.2.3.4" } }

test("c.clientIP: over a socket it is the peer's address", async () => {
  assert.is((await viaSocket(answer([]), asked)).body, "127.0.0.1")
})

test("c.clientIP: over a socket it is the address that a trusted peer forwards", async () => {
  assert.is((await viaSocket(answer(["127.0.0.0/8"]), asked)).body, "1.2.3.4")
})

const schemes: ReadonlyArray<
  readonly [name: string, trusted: string[], headers: Record<string, string>, origin: string]
> = [
  [
    "it is the scheme of the connection and the Host header",
    [],
    { host: "shop.example:8080" },
    "http://shop.example:8080",
  ],
  [
    "a forwarded scheme from an untrusted peer does not count",
    [],
    { "x-forwarded-proto": "https" },
    "http://localhost",
  ],
  [
    "a forwarded scheme from a trusted peer counts",
    ["127.0.0.0/8"],
    { "x-forwarded-proto": "https" },
    "https://localhost",
  ],
  [
    "of several forwarded schemes the first counts",
    ["127.0.0.0/8"],
    { "x-forwarded-proto": "HTTPS, http" },
    "https://localhost",
  ],
  [
    "the scheme in Forwarded counts",
    ["127.0.0.0/8"],
    { forwarded: 'for=1.2.3.4;proto="https"' },
    "https://localhost",
  ],
  [
    "the default port of the scheme is removed",
    ["127.0.0.0/8"],
    { host: "a.example:443", "x-forwarded-proto": "https" },
    "https://a.example",
  ],
  [
    "a forwarded text that is not a scheme is ignored",
    ["127.0.0.0/8"],
    { "x-forwarded-proto": "javascript" },
    "http://localhost",
  ],
  [
    "a forwarded host does not count",
    ["127.0.0.0/8"],
    { "x-forwarded-host": "evil.example" },
    "http://localhost",
  ],
]
for (const [name, trustedProxies, headers, origin] of schemes) {
  test(`c.origin: ${name}`, async () => {
    const app = new App({ logger: false, trustedProxies })
    app.get("/", (c) => c.string(200, c.origin))
    assert.is((await viaSocket(app, { path: "/", headers })).body, origin)
  })
}

test("c.origin: with app.fetch() it is the origin of the URL", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, c.origin))
  assert.is(await (await app.request("https://shop.example/")).text(), "https://shop.example")
})

test.run()
