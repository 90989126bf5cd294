/** The error reference of middleware: options that are unknown or not valid. */
import type { FwErrorCode } from "../../../lib/error-codes.ts"
import { applicationMessages } from "../../../lib/messages/application.ts"
import { middlewareMessages } from "../../../lib/messages/middleware.ts"
import { sessionMessages } from "../../../lib/messages/session.ts"
import { type Entry, entriesOf } from "./entry.ts"

const ofSessions = entriesOf(sessionMessages, {
  session: [
    "An option of `session()` is not valid, or `c.session` was used where the session cannot be read or saved.",
    {
      "session.none": [],
      "session.closed": ["c.session.set()"],
      "session.subject": ["c.session.signIn()", ""],
      "session.seconds": ["idle", 0],
      "session.order": [],
      "session.cookie": ["__Host-session"],
      "session.same_site": ["lax"],
      "session.secure": ["Auto"],
      "session.none_secure": [false],
      "session.domain": [".shop.example"],
      "session.refusals": [10],
    },
  ],
})

const known = entriesOf(middlewareMessages, {
  basic_auth: [
    "`basicAuth()` was configured so that it would let nobody in, or everybody. `bearerAuth()` shares some of the messages.",
    {
      "basic_auth.none": [],
      "basic_auth.user": ["ada"],
      "basic_auth.realm": ["basicAuth()"],
      "basic_auth.either": ["basicAuth()", "users"],
    },
  ],
  bearer_auth: [
    "An option of `bearerAuth()` is not valid. A token that is undefined often comes from a variable that is not set.",
    { "bearer_auth.prefix": ["bearerAuth()"], "bearer_auth.tokens": [] },
  ],
  combine: [
    "`combine.some()`, `combine.every()`, `combine.except()` and `combine.only()` take middleware.",
    {
      "combine.none": ["combine.some()"],
      "combine.condition": ["combine.except()", "health"],
      "combine.pattern": ["combine.except()"],
    },
  ],
  compress: ["`compress()` compresses answers from a size in bytes on.", { compress: [-1] }],
  cors: [
    "An option of `cors()` is not valid. The messages about origins are also those of `csrf()` and of sockets. Browsers refuse credentials for any origin, so fw does not offer it.",
    {
      "cors.credentials": [],
      "cors.list": ["GET"],
      "cors.name": ["GET, POST"],
      "cors.max_age": [-1],
    },
  ],
  ip_restriction: [
    "`ipRestriction()` takes addresses and CIDR ranges.",
    {
      "ip_restriction.list": ["allow", "10.0.0.0/8"],
      "ip_restriction.none": [],
      "ip_restriction.range": ["10.0.0.0/40", "bits4"],
      "ip_restriction.address": [undefined],
    },
  ],
  jwt: [
    "An option of `jwt()` is not valid, or options do not go together: a shared secret with `HS256`, `HS384` or `HS512`, or the public keys of an issuer with one of the other algorithms. No message shows a secret.",
    {
      "jwt.algorithms": [["HS256", "RS256", "ES256"]],
      "jwt.clock": [],
      "jwt.cookie": [],
      "jwt.cookie_prefix": [],
      "jwt.key": [],
      "jwt.keys": [],
      "jwt.keys_algorithm": [],
      "jwt.keys_mismatch": [["RS256"]],
      "jwt.names": ["issuer", undefined],
      "jwt.secret": [undefined],
      "jwt.secret_length": [32, ["HS256"]],
      "jwt.secret_algorithm": [],
      "jwt.url": [],
      "jwt.url_algorithms": [],
      "jwt.url_symmetric": [],
    },
  ],
  rate_limit: [
    "An option of `rateLimit()` is not valid, or the host does not pass the client's address, by which requests are counted.",
    {
      "rate_limit.client": [],
      "rate_limit.count": ["limit", 0],
      "rate_limit.key": [],
      "rate_limit.key_result": [undefined],
      "rate_limit.hit": [undefined],
      "rate_limit.name": ["per minute"],
      "rate_limit.failure": ["opne"],
      "rate_limit.store": [],
      "rate_limit.store_keys": [],
      "rate_limit.workers": ["4"],
    },
  ],
  secure_headers: [
    "An option of `secureHeaders()` is the value of a header.",
    {
      secure_headers: ["contentSecurityPolicy"],
      "secure_headers.value": [
        "contentSecurityPolicy",
        'has "self" for default-src without single quotes',
        "Write \"default-src 'self'\".",
      ],
    },
  ],
  timeout: [
    "`timeout()` takes seconds, and the status of its answer.",
    { "timeout.seconds": [0, 2_147_483], "timeout.status": [500] },
  ],
})

/** Middleware whose options have only the rules that all options have. */
const simple: ReadonlyArray<
  readonly [code: FwErrorCode, call: string, wrong: string, options: readonly string[]]
> = [
  ["csrf", "csrf()", "origin", ["origins"]],
  ["etag", "etag()", "week", ["weak"]],
  ["recover", "recover()", "anwser", ["answer"]],
  ["request_id", "requestID()", "name", ["header", "trust", "generate"]],
  ["server_timing", "serverTiming()", "if", ["when"]],
]

const others = simple.map(([code, call, wrong, options]): Entry => {
  const about = `An option of \`${call}\` is unknown or has a value of the wrong type.`
  return { code, about, examples: [applicationMessages["app_options.unknown"](call, wrong, options)] }
})

export const middleware: readonly Entry[] = [...known, ...ofSessions, ...others]
