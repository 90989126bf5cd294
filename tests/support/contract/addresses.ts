/** Contract cases: how addresses of clients are written that a host passes. */
import { App, ipRestriction } from "../../../lib/index.ts"
import { app, type Case } from "./case.ts"

/** Spellings of addresses, and how `c.clientIP` writes each. */
export const spellings: ReadonlyArray<readonly [given: string, address: string]> = [
  ["203.0.113.7", "203.0.113.7"],
  [" \t203.0.113.7\t ", "203.0.113.7"],
  ["203.0.113.7:41234", "203.0.113.7"],
  ["203.0.113.7:_hidden", "203.0.113.7"],
  ["203.0.113.7:", ""],
  ["203.0.113.7:x", ""],
  ["203.0.113.7:123456", ""],
  ["203.0.113.7:80:80", ""],
  ["[203.0.113.7]", ""],
  ["203.0.113.7%eth0", ""],
  ["203.0.113", ""],
  ["203.0.113.07", ""],
  ["203.0.113.256", ""],
  ["203.0.113.7.", ""],
  ["0xcb.0.113.7", ""],
  ["3405803783", ""],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:ffff:cb00:7107", "203.0.113.7"],
  ["0000:0000:0000:0000:0000:FFFF:CB00:7107", "203.0.113.7"],
  ["0::ffff:203.0.113.7", "203.0.113.7"],
  ["[::ffff:203.0.113.7]:41234", "203.0.113.7"],
  ["::ffff:203.0.113.7%1", "203.0.113.7"],
  ["::ffff:203.0.113", ""],
  ["::ffff:0:203.0.113.7", "::ffff:0:cb00:7107"],
  ["::203.0.113.7", "::cb00:7107"],
  ["64:ff9b::203.0.113.7", "64:ff9b::cb00:7107"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:DB8::1", "2001:db8::1"],
  ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
  ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
  ["2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
  ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
  ["1:0:0:0:0:0:0:0", "1::"],
  ["0:0:0:0:0:0:0:0", "::"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:41234", "2001:db8::1"],
  ["[2001:db8::1]41234", ""],
  ["[2001:db8::1", ""],
  ["2001:db8::1]", ""],
  ["[[2001:db8::1]]", ""],
  ["[]", ""],
  ["fe80::1%eth0", "fe80::1"],
  ["fe80::1%25eth0", "fe80::1"],
  ["[fe80::1%eth0]:80", "fe80::1"],
  ["fe80::1%", ""],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["1:2:3:4:5:6:7:8::", ""],
  ["1::2::3", ""],
  ["203.0.113.7::", ""],
  ["203.0.113.7::1", ""],
  ["64:203.0.113.7::1", ""],
  ["203.0.113.7::203.0.113.7", ""],
  ["203.0.113.7:1:2:3:4:5:6", ""],
  ["1:2:3:4:5:6:203.0.113.7", "1:2:3:4:5:6:cb00:7107"],
  [":1:2:3:4:5:6:7", ""],
  ["", ""],
  ["unknown", ""],
  ["_hidden", ""],
  ["localhost", ""],
  ["/run/app.sock", ""],
  ["203.0.113.7, 203.0.113.8", ""],
  ['"203.0.113.7"', ""],
  ["\u00a0203.0.113.7", ""],
]

/** Returns an app that passes an address to another app as a host does, and answers with its response. */
function passing(clientIP: string, make: (inner: App) => void): Case["app"] {
  return app((a) =>
    a.get("/", () => {
      const inner = new App({ logger: false, trustedProxies: ["10.0.0.0/8", "unix"] })
      make(inner)
      const headers = {
        "x-forwarded-for": "6.6.6.6, [2001:DB8:0::7]:80, 10.0.0.9:81",
        "x-forwarded-proto": "https",
      }
      return inner.fetch(new Request("http://shop.example/", { headers }), { clientIP })
    }),
  )
}

export const addressCases: readonly Case[] = [
  ...spellings.map(
    ([given, address]): Case => ({
      subject: "c.clientIP",
      name: `is ${JSON.stringify(address)} for the address ${JSON.stringify(given)} of a host`,
      app: passing(given, (inner) => inner.get("/", (c) => c.json(200, c.clientIP))),
      request: "/",
      expect: { json: address },
    }),
  ),
  ...["unix", "10.1.2.3:4", "::FFFF:a01:203"].map(
    (peer): Case => ({
      subject: "c.clientIP",
      name: `is the client that the trusted proxy ${peer} names`,
      app: passing(peer, (inner) => inner.get("/", (c) => c.json(200, [c.clientIP, c.origin]))),
      request: "/",
      expect: { json: ["2001:db8::7", "https://shop.example"] },
    }),
  ),
  {
    subject: "ipRestriction()",
    name: "reads the address that a host passes with a port",
    app: passing("[::ffff:cb00:7107]:80", (inner) => {
      inner.use(ipRestriction({ allow: ["203.0.113.7"] }))
      inner.get("/", (c) => c.json(200, "ok"))
    }),
    request: "/",
    expect: { json: "ok" },
  },
]
