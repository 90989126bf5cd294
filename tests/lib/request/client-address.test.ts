/** Tests of the client's address: which addresses `trustedProxies` accepts, read from right to left. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type FwError, ipRestriction } from "../../../lib/index.ts"
import { addressCases, spellings } from "../../support/contract/addresses.ts"
import { contract, viaSocket } from "../../support/contract/runner.ts"

type Headers = Readonly<Record<string, string>>

/** Trusted ranges, the socket's address, headers, and the client whose request it is. */
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
  ["empty hops do not count", ["10.0.0.0/8"], "10.0.0.1", { "x-forwarded-for": ",1.1.1.1,, 10.0.0.2 ,\t," }, "1.1.1.1"],
  [
    "a list without hops counts as no header",
    ["10.0.0.0/8"],
    "10.0.0.1",
    { "x-forwarded-for": " , ", forwarded: "for=1.1.1.1" },
    "1.1.1.1",
  ],
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
  ["a socket without an address gives an empty address", ["0.0.0.0/0"], "", { "x-forwarded-for": "1.1.1.1" }, ""],
  [
    "if everybody is trusted, the leftmost address counts",
    ["0.0.0.0/0", "::/0"],
    "5.5.5.5",
    { "x-forwarded-for": "1.1.1.1, 2.2.2.2" },
    "1.1.1.1",
  ],
]

for (const [name, trustedProxies, clientIP, headers, client] of rows) {
  test(`c.clientIP: ${name}`, async () => {
    const app = new App({ logger: false, trustedProxies })
    app.get("/", (c) => c.string(200, c.clientIP))
    assert.is(await (await app.request("/", { headers }, { clientIP })).text(), client)
  })
}

/** Invalid ranges, and a part of the message about each. */
const wrongRanges: ReadonlyArray<readonly [range: unknown, says: RegExp]> = [
  ["", /it is empty\n.*environment variable/],
  [" ", /it is empty/],
  ["\t", /it is empty/],
  [" 10.0.0.0/8", /white space\n.*Write it without/],
  ["10.0.0.0/8 ", /white space/],
  ["10.0.0.0 /8", /white space/],
  ["10.0.0.0/8\n", /white space/],
  ["10.0.0.0/8,::1", /several\n.*list/],
  ["x", /\n.*Write addresses or CIDR ranges/],
  ["localhost", /Write addresses or CIDR ranges/],
  ["loopback", /Write addresses or CIDR ranges/],
  ["unix:", /"unix"/],
  ["UNIX", /"unix"/],
  ["10.0.0.0/33", /only 32 bits/],
  ["10.0.0.0/40", /only 32 bits/],
  ["10.0.0.0/99999999999999999999", /only 32 bits/],
  ["::/129", /only 128 bits/],
  ["10.0.0/8", /Write addresses/],
  ["10/8", /Write addresses/],
  ["10.0.0.0/", /not a number of bits/],
  ["10.0.0.0/8/8", /not a number of bits/],
  ["10.0.0.0/-1", /not a number of bits/],
  ["10.0.0.0/+8", /not a number of bits/],
  ["10.0.0.0/8.0", /not a number of bits/],
  ["10.0.0.0/1e1", /not a number of bits/],
  ["10.0.0.0/0x8", /not a number of bits/],
  ["10.0.0.0/255.0.0.0", /not a number of bits\n.*netmask/],
  ["10.0.0.0/08", /leading zero/],
  ["10.0.0.0/00", /leading zero/],
  ["010.0.0.1", /leading zero\n.*octal/],
  ["10.0.0.01", /leading zero/],
  ["10.00.0.0/8", /leading zero/],
  ["0x0a.0.0.1", /Write addresses/],
  ["167772161", /Write addresses/],
  ["10.0.0.1:80", /port or brackets/],
  ["[::1]", /port or brackets/],
  ["[::1]:80", /port or brackets/],
  ["[::1]/128", /port or brackets/],
  ["fe80::1%eth0", /it has a zone\n.*Write it without/],
  ["fe80::%eth0/10", /it has a zone/],
  ["10.0.0.1%eth0", /Write addresses/],
  ["::ffff:10.0.0.0/8", /96 bits or more\n.*as IPv4/],
  ["::ffff:a00:0/8", /96 bits or more/],
  ["::ffff:10.0.0.0/95", /96 bits or more/],
  ["::ffff:10.0.0.0/0", /96 bits or more/],
  ["::ffff:10.0.0.0/96", /every address/],
  ["10.0.0.0/0", /every address\n.*"0\.0\.0\.0\/0"/],
  ["2001:db8::/0", /every address/],
  ["1:2:3", /Write addresses/],
  ["::1::", /Write addresses/],
  [":::", /Write addresses/],
  ["1:2:3:4:5:6:7:8:9", /Write addresses/],
  ["12345::", /Write addresses/],
  ["g::", /Write addresses/],
  ["256.0.0.1", /Write addresses/],
  ["*", /Write addresses/],
  [undefined, /contains undefined/],
  [null, /contains null/],
  [8, /contains 8/],
  [["10.0.0.0/8"], /contains an array/],
]
for (const [range, says] of wrongRanges) {
  test(`trustedProxies and ipRestriction() refuse ${JSON.stringify(range)}`, () => {
    const ranges = [range] as string[]
    const about = typeof range === "string" ? JSON.stringify(range) : ""
    const isRight = (code: string) => (error: FwError) =>
      error.code === code && error.message.includes(about) && says.test(String(error).replace("given", "contains"))
    assert.throws(() => new App({ trustedProxies: ranges }), isRight("trusted_proxies"))
    for (const option of ["allow", "deny"])
      assert.throws(() => ipRestriction({ [option]: ranges }), isRight("ip_restriction"))
  })
}

/** Ranges, addresses inside of them, and addresses outside. */
const ranges: ReadonlyArray<readonly [range: string, inside: readonly string[], outside: readonly string[]]> = [
  ["10.1.2.3", ["10.1.2.3", "::ffff:10.1.2.3", "10.1.2.3:80"], ["10.1.2.4", "::10.1.2.3", ""]],
  ["10.1.2.3/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "9.255.255.255"]],
  ["10.0.0.2/26", ["10.0.0.63"], ["10.0.0.64"]],
  ["10.0.0.2/31", ["10.0.0.2", "10.0.0.3"], ["10.0.0.1", "10.0.0.4"]],
  ["0.0.0.0/0", ["255.255.255.255", "::ffff:1.2.3.4"], ["::1", "", "unix"]],
  ["::/0", ["::1", "ffff::"], ["1.2.3.4", "::ffff:1.2.3.4", "unix"]],
  ["::ffff:0:0/96", ["1.2.3.4"], ["::1"]],
  ["::ffff:10.0.0.0/104", ["10.9.9.9"], ["11.0.0.0"]],
  ["::FFFF:a00:2/122", ["10.0.0.63"], ["10.0.0.64"]],
  ["0:0:0:0:0:ffff:10.0.0.1", ["10.0.0.1"], ["10.0.0.2"]],
  ["2001:DB8::/33", ["2001:db8:7fff::"], ["2001:db8:8000::"]],
  ["fe80::/10", ["fe80::1%eth0", "[febf::1%25en0]:80"], ["fec0::"]],
  ["unix", ["unix"], ["", "127.0.0.1", "UNIX", "unix:", "/run/app.sock"]],
]
for (const [range, inside, outside] of ranges) {
  test(`the range ${range} contains ${inside.join(", ")}, and not ${outside.join(", ")}`, async () => {
    const app = new App({ logger: false, trustedProxies: [range] })
    app.get("/", (c) => c.string(200, c.clientIP))
    const guarded = new App({ logger: false })
    guarded.use(ipRestriction({ allow: [range] }))
    guarded.get("/", (c) => c.noContent())
    for (const clientIP of [...inside, ...outside]) {
      const isInside = inside.includes(clientIP)
      const answer = await app.request("/", { headers: { "x-forwarded-for": "203.0.113.7" } }, { clientIP })
      assert.is((await answer.text()) === "203.0.113.7", isInside, clientIP)
      assert.is((await guarded.request("/", {}, { clientIP })).status, isInside ? 204 : 403, clientIP)
    }
  })
}

for (const [given, address] of spellings) {
  test(`the address ${JSON.stringify(given)} is ${JSON.stringify(address)}, from a host and from a proxy`, async () => {
    const app = new App({ logger: false, trustedProxies: ["192.0.2.1"] })
    app.get("/", (c) => c.string(200, c.clientIP))
    const text = async (headers: Headers, clientIP: string) =>
      (await app.request("/", { headers }, { clientIP })).text()
    assert.is(await text({}, given), address)
    const hop = address || "192.0.2.1"
    if (/[,\u00a0]/.test(given)) return
    assert.is(await text({ "x-forwarded-for": `6.6.6.6, ${given}` }, "192.0.2.1"), given === "" ? "6.6.6.6" : hop)
    if (/["]/.test(given)) return
    const forwarded = `for=6.6.6.6, for="${given}";proto=https`
    assert.is(await text({ forwarded }, "192.0.2.1"), hop)
  })
}

test("c.clientIP: a client cannot claim to be on a Unix socket", async () => {
  const app = new App({ logger: false, trustedProxies: ["unix", "10.0.0.0/8"] })
  app.get("/", (c) => c.string(200, c.clientIP))
  const headers = { "x-forwarded-for": "6.6.6.6, unix" }
  assert.is(await (await app.request("/", { headers }, { clientIP: "10.0.0.1" })).text(), "10.0.0.1")
  assert.is(await (await app.request("/", { headers }, { clientIP: "unix" })).text(), "unix")
})

test("ipRestriction(): a peer on a Unix socket has no address, so only its name lets it pass", async () => {
  for (const [options, status] of [
    [{ deny: ["10.0.0.0/8"] }, 403],
    [{ allow: ["0.0.0.0/0", "::/0"] }, 403],
    [{ allow: ["unix"] }, 204],
    [{ allow: ["unix"], deny: ["unix"] }, 403],
  ] as const) {
    const app = new App({ logger: false })
    app.use(ipRestriction(options))
    app.get("/", (c) => c.noContent())
    assert.is((await app.request("/", {}, { clientIP: "unix" })).status, status)
  }
})

test("ipRestriction(): the function address may return any spelling of an address, and must return a text", async () => {
  for (const [address, status] of [
    ["10.0.0.1:80", 204],
    ["[::ffff:a00:1]:80", 204],
    ["10.0.0.01", 403],
    ["", 403],
    [undefined, 500],
    [10, 500],
    [null, 500],
  ] as const) {
    const app = new App({ logger: false })
    app.use(ipRestriction({ allow: ["10.0.0.0/8"], address: () => address as string }))
    app.get("/", (c) => c.noContent())
    assert.is((await app.request("/")).status, status, String(address))
  }
})

const answer = (trustedProxies: string[]) => {
  const app = new App({ logger: false, trustedProxies })
  app.get("/", (c) => c.string(200, c.clientIP))
  return app
}
const asked = { path: "/", headers: { "x-forwarded-for": "6.6.6.6, 1.2.3.4" } }

test("c.clientIP is the peer's address over a socket", async () => {
  assert.is((await viaSocket(answer([]), asked)).body, "127.0.0.1")
})

test("c.clientIP is the address that a trusted peer forwards over a socket", async () => {
  assert.is((await viaSocket(answer(["127.0.0.0/8"]), asked)).body, "1.2.3.4")
})

const schemes: ReadonlyArray<
  readonly [name: string, trusted: string[], headers: Record<string, string>, origin: string]
> = [
  [
    "the origin has the scheme of the connection and the host of the Host header",
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
  ["the scheme in Forwarded counts", ["127.0.0.0/8"], { forwarded: 'for=1.2.3.4;proto="https"' }, "https://localhost"],
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
  ["a forwarded host does not count", ["127.0.0.0/8"], { "x-forwarded-host": "evil.example" }, "http://localhost"],
]
for (const [name, trustedProxies, headers, origin] of schemes) {
  test(`c.origin: ${name}`, async () => {
    const app = new App({ logger: false, trustedProxies })
    app.get("/", (c) => c.string(200, c.origin))
    assert.is((await viaSocket(app, { path: "/", headers })).body, origin)
  })
}

test("c.origin is the origin of the URL if a request comes over no socket", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, c.origin))
  assert.is(await (await app.request("https://shop.example/")).text(), "https://shop.example")
})

contract(addressCases)

test.run()
