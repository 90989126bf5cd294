/** Contract cases: `rateLimit()` with one request each, and a store that returns the number of earlier requests. */
import { type RateLimitOptions, rateLimit } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

/** Returns a store with a fixed count. */
const store = (count: number, reset = 30): RateLimitOptions => ({ store: { hit: () => ({ count, reset }) } })

/** Returns the same key for all clients, because not every way to send a request has an address. */
const oneClient = () => "one"

const rows: ReadonlyArray<readonly [name: string, options: RateLimitOptions, expect: Expected]> = [
  [
    "the headers say how many requests are left",
    { limit: 10, ...store(3, 29.2) },
    { body: "ok", headers: { "ratelimit-policy": '"default";q=10;w=60', ratelimit: '"default";r=7;t=30' } },
  ],
  [
    "the last request within the limit is answered",
    { limit: 10, ...store(10) },
    { body: "ok", headers: { ratelimit: /r=0;t=30$/ } },
  ],
  [
    "the first request over the limit is a 429 with Retry-After",
    { limit: 10, ...store(11, 29.2) },
    {
      status: 429,
      headers: { "retry-after": "30", ratelimit: '"default";r=0;t=30' },
      ...error("too_many_requests", "too many requests: try again in 30 s"),
    },
  ],
  ["Retry-After is at least 1", { limit: 1, ...store(2, 0) }, { status: 429, headers: { "retry-after": "1" } }],
  [
    "the option name changes the name of the policy",
    { name: "login", window: 900, ...store(1) },
    { headers: { "ratelimit-policy": '"login";q=100;w=900' } },
  ],
  [
    "a client without a key is not counted",
    { key: () => null, ...store(1000) },
    { body: "ok", headers: { ratelimit: null } },
  ],
  [
    "a store that fails is a 503",
    { store: { hit: () => Promise.reject(new Error("no redis")) } },
    {
      status: 503,
      ...error("service_unavailable", "requests cannot be counted at the moment: try again"),
    },
  ],
]

export const rateLimitCases: readonly Case[] = [
  ...rows.map(
    ([name, options, expect]): Case => ({
      subject: "rateLimit()",
      name,
      app: app((a) => {
        a.use(rateLimit({ key: oneClient, ...options }))
        a.get("/", (c) => c.string(200, "ok"))
      }),
      request: "/",
      expect,
    }),
  ),
  {
    subject: "rateLimit()",
    name: "two limits both add their headers",
    app: app((a) => {
      a.use(rateLimit({ name: "day", window: 86_400, key: oneClient }))
      a.use(rateLimit({ name: "minute", limit: 5, key: oneClient }))
      a.get("/", (c) => c.string(200, "ok"))
    }),
    request: "/",
    expect: { headers: { "ratelimit-policy": '"day";q=100;w=86400, "minute";q=5;w=60' } },
  },
]
