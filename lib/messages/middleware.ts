/** Messages about the options of fw's own middleware. They never show a value that may be secret. */
import { describeType, formatValue } from "../text.ts"
import { type RangeProblem, writeRangeMessage } from "./address-ranges.ts"
import type { Messages } from "./message.ts"

const environmentHint = "Check that the environment variable is set."

export const middlewareMessages = {
  "basic_auth.none": () => [
    "basicAuth() was given no users, so it would let nobody in",
    "Write users: { ada: process.env.PASSWORD }.",
  ],
  "basic_auth.user": (name: string) => [
    `basicAuth() was given the user ${formatValue(name)} without a password, or with a colon in the name`,
    `${environmentHint} A name cannot contain a colon (RFC 7617 §2).`,
  ],
  "basic_auth.realm": (call: string) => [
    `${call} was given a realm that a header cannot contain`,
    'Write realm: "Reports", in ASCII.',
  ],
  "basic_auth.either": (call: string, list: string) => [
    `${call} needs either ${list} or a function verify`,
    "With neither, it would let nobody in. With both, it is not clear which one decides.",
  ],
  "bearer_auth.prefix": (call: string) => [
    `${call} was given a prefix that is not the name of a scheme`,
    'Write a word such as prefix: "Token", without a space.',
  ],
  "bearer_auth.tokens": () => [
    "bearerAuth() was given no tokens, or a token that a client cannot send",
    `${environmentHint} A token consists of letters, digits and - . _ ~ + / (RFC 6750 §2.1).`,
  ],
  "combine.none": (call: string) => [
    `${call} was given no middleware`,
    `Write ${call.replace("()", /only|except/.test(call) ? '("/health", one, two)' : "(one, two)")}.`,
  ],
  "combine.condition": (call: string, value: unknown) => [
    `${call} was given ${formatValue(value)}, which is not a path pattern`,
    'Write "/health" or ["/public/*", "/users/{id}"], or a function.',
  ],
  "combine.pattern": (call: string) => [`${call} was given no pattern`, 'Write ["/health"].'],
  compress: (value: unknown) => [
    `compress() was given a threshold of ${formatValue(value)}`,
    "Write bytes, such as 1024.",
  ],
  "cors.credentials": () => [
    "cors() allows credentials for any origin",
    'Name the origins: cors({ origins: ["https://shop.example"], credentials: true }).',
  ],
  "cors.list": (value: unknown) => [
    `cors() was given ${describeType(value)}, not a list of names`,
    'Write a list, such as methods: ["GET", "POST"].',
  ],
  "cors.name": (value: unknown) => [
    `cors() was given ${formatValue(value)}, which is not the name of a method or a header`,
    'Write each name as an item of its own: ["GET", "POST"].',
  ],
  "cors.max_age": (value: unknown) => [
    `cors() was given a maxAge of ${formatValue(value)}`,
    "Write whole seconds, such as 600.",
  ],
  "ip_restriction.list": (option: string, value: unknown) => [
    `ipRestriction() was given ${describeType(value)} as ${option}`,
    `Write ${option}: ["10.0.0.0/8"].`,
  ],
  "ip_restriction.none": () => ["ipRestriction() was given no ranges", 'Write allow: ["10.0.0.0/8"], or deny.'],
  "ip_restriction.address": (value: unknown) => [
    `ipRestriction() was given a function address that returned ${describeType(value)}`,
    'Return the address as a text, or "" if it is not known.',
  ],
  "ip_restriction.range": (value: unknown, problem: RangeProblem) =>
    writeRangeMessage("ipRestriction() was given", value, problem),
  "jwt.algorithms": (names: readonly string[]) => [
    "jwt() was given no algorithms, or an algorithm that it does not know",
    `Write a list of these: ${names.join(", ")}.`,
  ],
  "jwt.clock": () => ["jwt() takes a clockTolerance from 0 to 600", "Write seconds, such as 5."],
  "jwt.cookie": () => ["jwt() was given a cookie name that is not valid", 'Write cookie: "session".'],
  "jwt.cookie_prefix": () => [
    "jwt() was given both cookie and prefix",
    "A token in a cookie has no prefix. Remove one of the two.",
  ],
  "jwt.key": () => [
    "jwt() needs one of secret, keys and jwksURL",
    `${environmentHint} Without a key, jwt() would let nobody in.`,
  ],
  "jwt.keys": () => [
    "jwt() takes a JWK or a set of JWKs as keys",
    'Write keys: { keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", alg: "ES256" }] }.',
  ],
  "jwt.keys_algorithm": () => ["jwt() was given keys that do not name their algorithm", 'Write algorithms: ["RS256"].'],
  "jwt.keys_mismatch": (algorithms: readonly string[]) => [
    "jwt() was given keys that do not fit the algorithms",
    `The algorithms are ${algorithms.join(", ")}.`,
  ],
  "jwt.names": (option: string, value: unknown) => [
    `jwt() takes a text or a list of texts as ${option}, not ${describeType(value)}`,
    environmentHint,
  ],
  "jwt.secret": (value: unknown) => [
    `jwt() takes text or bytes as secret, not ${describeType(value)}`,
    "Write secret: process.env.JWT_SECRET.",
  ],
  // Neither the secret nor its length is shown.
  "jwt.secret_length": (minBytes: number, algorithms: readonly string[]) => [
    `jwt() was given a secret of less than ${minBytes} bytes, which is too short for ${algorithms.join(" and ")}`,
    `${environmentHint} This makes a secret: openssl rand -base64 48`,
  ],
  "jwt.secret_algorithm": () => [
    "jwt() was given a secret, but an algorithm that needs a key pair",
    'Write algorithms: ["HS256"].',
  ],
  "jwt.url": () => [
    "jwt() takes an https URL as jwksURL",
    'Write jwksURL: "https://issuer.example/.well-known/jwks.json".',
  ],
  "jwt.url_algorithms": () => [
    "jwt() needs algorithms with jwksURL",
    'Write algorithms: ["RS256"], as the issuer documents it.',
  ],
  "jwt.url_symmetric": () => [
    "jwt() was given jwksURL, but an algorithm that needs a shared secret",
    'Write algorithms: ["RS256"].',
  ],
  "rate_limit.client": () => [
    'rateLimit() cannot distinguish clients: c.clientIP is ""',
    "Let the host pass the client's address, app.fetch(request, { clientIP }), or count by another key, rateLimit({ key: (c) => … }).",
  ],
  "rate_limit.count": (option: string, value: unknown) => [
    `rateLimit() was given a ${option} of ${formatValue(value)}`,
    `Write a whole number from 1, such as ${option}: 60.`,
  ],
  "rate_limit.key": () => ["rateLimit() was given a key that is not a function", "Write key: (c) => c.clientIP."],
  "rate_limit.key_result": (value: unknown) => [
    `the function key of rateLimit() returned ${describeType(value)}, not a text`,
    "Return a text that names the client, such as c.clientIP, or null to not count the request.",
  ],
  "rate_limit.hit": (value: unknown) => [
    `hit() of the store of rateLimit() returned ${describeType(value)}, not { count, reset } with two numbers`,
    "Return the number of requests in the window, with this one, and the seconds until it ends.",
  ],
  "rate_limit.name": (value: unknown) => [
    `rateLimit() was given the name ${formatValue(value)}`,
    "Write letters, digits, _, . and -.",
  ],
  "rate_limit.failure": (value: unknown) => [
    `rateLimit() was given ${formatValue(value)} as onFailure`,
    'Write "closed" to answer 503 while the store fails, or "open" to answer requests without a limit.',
  ],
  "rate_limit.store": () => [
    "rateLimit() was given a store that does not count",
    "Pass a store of fw/store, such as redisStore(client), or an object { hit(key, window) { … } }.",
  ],
  "rate_limit.store_keys": () => [
    "rateLimit() was given both maxKeys and a store",
    "maxKeys is only for the store in memory. Leave it out.",
  ],
  "rate_limit.workers": (workers: string, name?: string) => [
    `rateLimit(${name === undefined ? "" : `{ name: ${JSON.stringify(name)} }`}) counts in memory, but the program has ${workers} workers: a client would get the limit from each of them`,
    "Give it a store that all workers use: rateLimit({ store }), such as with sqliteStore(file) of fw/store.",
  ],
  secure_headers: (option: string) => [
    `secureHeaders() was given a ${option} that a header cannot contain`,
    "Write text on one line, or false.",
  ],
  "secure_headers.value": (option: string, problem: string, fix: string) => [
    `secureHeaders() was given a value for ${option} that ${problem}`,
    fix,
  ],
  "timeout.seconds": (value: unknown, maxSeconds: number) => [
    `timeout() was given ${formatValue(value)}`,
    `Write seconds, at most ${maxSeconds}: timeout(30).`,
  ],
  "timeout.status": (value: unknown) => [`timeout() was given the status ${formatValue(value)}`, "Write 503 or 504."],
} satisfies Messages
