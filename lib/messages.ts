/**
 * The words of the errors that the core tells developers: what is wrong, and how to mend it. Servers have them at hand
 * as a feature of the platform; a worker, which every byte of them would weigh on, imports them. Read by `lib/fault.ts`.
 */

/** What is wrong, and what to do where that does not say it. */
export type Words = readonly [what: string, fix?: string]

const quote = (value: unknown) => JSON.stringify(value)

const options: Readonly<Record<string, (value: unknown, what?: string) => Words>> = {
  "": () => ["new App() takes an object of options", 'Write new App({ appDir: "app" }).'],
  appDir: () => ["the option appDir is no directory name", 'Write appDir: "some/directory".'],
  staticDir: () => ["the option staticDir is no directory name", 'Write staticDir: "some/directory".'],
  bodyLimit: (value, what = "the option bodyLimit") => [
    `${what} is ${String(value)}, which is no number of bytes`,
    "Write a whole number, such as 1024 * 1024.",
  ],
  trustedProxies: () => ["the option trustedProxies is no list", 'Write trustedProxies: ["10.0.0.0/8"].'],
  logger: () => [
    "the option logger is neither true, false nor a configuration",
    'Write logger: { level: "info" }.',
  ],
}

const ofOptions = {
  app_options: (key: string, value?: unknown, what?: string): Words => {
    if (Object.hasOwn(options, key)) return options[key]?.(value, what) as Words
    const known = Object.keys(options).filter(Boolean)
    return [`new App() has no option ${quote(key)}`, `It takes ${known.join(", ")}.`]
  },
  logger_config: (key: string, known: readonly string[]): Words => [
    `the logger's ${key} is invalid`,
    `It has ${known.join(", ")}.`,
  ],
}

const ofProxies = {
  proxy_config: (key: string, _value?: unknown): Words => {
    if (key === "") return ["a ProxyConfig is an object", 'Write { matchers: ["/api/*"] }.']
    if (["matcher", "matchers", "excludes"].includes(key))
      return [`ProxyConfig.${key} is no list of strings`, `Write ${key}: ["/api/*"].`]
    return [`ProxyConfig has an unknown key ${quote(key)}`, "It takes matcher (or matchers) and excludes."]
  },
  "proxy_config.slash": (matcher: string): Words => [
    `the matcher ${quote(matcher)} does not start with a slash`,
    `Write "/${matcher}".`,
  ],
  "proxy_config.pattern": (matcher: string): Words => [
    `the matcher ${quote(matcher)} is no pattern that URLPattern can read`,
    'Write a path such as "/api/*", "/users/{id}" or any URLPattern pathname.',
  ],
  rewrite: (path: string): Words => [`proxy.rewrite(${quote(path)}) is no path`, "Start it with a slash."],
}

const examples: Readonly<Record<string, string>> = {
  "app.setProxy": "(c) => proxy.continue()",
  "app.onError": "(c, error) => c.json(500, { error: 'our fault' })",
  "app.notFound": "(c) => c.json(404, { error: 'nothing here' })",
  "router.mount": "(request) => new Response(), or hand over another app's fetch",
  socket: "(c) => ({ message(socket, data) { … } })",
}

function exampleOf(call: string): string {
  return examples[call.slice(0, call.indexOf("("))] ?? "(c) => c.json(200, data)"
}

const ofCalls = {
  sealed: (call: string): Words => [
    `${call} comes after the first request`,
    "Register everything before the app listens or answers.",
  ],
  "use_late.app": (): Words => [
    "app.use() comes after the app was mounted",
    "Call use() before mount() and the first request.",
  ],
  "use_late.group": (prefix: string): Words => [
    `use() in the group ${prefix} comes after its first route, which it would not wrap`,
    "Call use() before the group's routes.",
  ],
  "mount.twice": (): Words => ["app.mount() was called twice", "Call it once."],
  "mount.nothing": (): Words => [
    "app.mount() has nothing to mount",
    "Call await app.scan() first, or pass the generated routes.",
  ],
  handler: (call: string, given: string): Words => [
    `${call} was given ${given}, not a function`,
    `Write ${exampleOf(call)}.`,
  ],
  middleware: (source: string, given: string): Words => [
    `${source} was given ${given}, not a middleware`,
    "Write (next) => (c) => next(c).",
  ],
  conflict: (route: string, first: string, second: string): Words => [
    `${first} and ${second} both claim ${route}`,
    "Remove one of them, or give it another path.",
  ],
  platform: (what: string): Words => [
    `this runtime gives fw no ${what}`,
    "Use app.fetch with the runtime's own server, and generated routes.",
  ],
}

const ofAnswers = {
  json: (status: number, given: string): Words => [
    `c.json(${status}, …) was given ${given}, which JSON cannot hold`,
  ],
  method: (method: string): Words => [`${quote(method)} is no valid method`],
  "header.name": (name: string): Words => [`${quote(name)} is no valid header name`],
  "header.type": (name: string, given: string): Words => [`the header ${name} takes a string, not ${given}`],
  // The value itself is never told: it may be a secret.
  "header.value": (name: string): Words => [
    `the value for the header ${name} holds a line break, a control character or a character beyond U+00FF`,
  ],
  "redirect.status": (status: number): Words => [
    `a redirect's status is one of 301, 302, 303, 307, 308, not ${status}`,
  ],
  "redirect.url": (): Words => ["a redirect's URL holds a line break, a control character or a backslash"],
  "response.error": (): Words => ["Response.error() is no answer: throw an error"],
  "response.used": (): Words => [
    "a Response was returned whose body is used already: return a new one, or response.clone()",
  ],
  "handler.result": (source: string, given: string): Words => [
    `${source} returned ${describe(given)}, not a Response: did it forget to return one?`,
  ],
  "middleware.result": (source: string, given: string): Words => [
    `a middleware of ${source} gave ${describe(given)}, not a handler: write (next) => (c) => next(c)`,
  ],
  "proxy.result": (): Words => [
    "the proxy gave no result: return proxy.continue() or another of its actions",
  ],
}

function describe(kind: string): string {
  if (kind === "undefined") return "nothing"
  return kind === "null" ? kind : kind === "object" ? "an object" : `a ${kind}`
}

/** Why a pattern is none: `lib/pattern.ts` only finds the segment that is wrong. @param part the segment at fault; `""` where the whole does not start with a slash too. */
function wordsOfPattern(pattern: string, part: string): Words {
  const [what, fix] = reasonOf(pattern, part)
  return [`the pattern ${quote(pattern)} ${what}`, fix]
}

function reasonOf(pattern: string, part: string): readonly [what: string, fix: string] {
  if (!pattern.startsWith("/")) return ["does not start with a slash", `Write ${quote(`/${pattern}`)}.`]
  if (part === "") return ["has an empty segment", "Take one of the slashes away."]
  const quoted = quote(part)
  const name =
    /^\{(.*)\}$/.exec(part)?.[1] ?? /^\[(?:\.\.\.)?([^[\]]*)\]$/.exec(part)?.[1] ?? /^:(.*)$/.exec(part)?.[1]
  if (name !== undefined && (!/^[A-Za-z_$][\w$-]*$/.test(name) || name === "__proto__"))
    return [`has no valid parameter name in ${quoted}`, "Use letters, digits, _ and -, such as {id}."]
  if (
    (part === "*" || part.startsWith("[...")) &&
    !/[^/]*$/.exec(pattern.replace(/\/$/, ""))?.[0].includes(part)
  )
    return ["has a catch-all before its end", "A * or [...name] must be the last segment."]
  if (name !== undefined || part === "*")
    return [`names the parameter ${quote(name ?? part)} twice`, "Give each parameter its own name."]
  if (/[?#]/.test(part))
    return [`holds more than a path in ${quoted}`, "Take the query away: a handler reads it itself."]
  if (/[{}[\]*]/.test(part))
    return [`mixes text and a parameter in ${quoted}`, "A parameter takes a whole segment: /files/{name}."]
  try {
    const value = decodeURIComponent(part)
    const fix = "Write the path without dot segments, backslashes and NUL."
    return [`has a segment that no request can have, ${quote(value)}`, fix]
  } catch {
    const fix = "Write the characters themselves, or encode a % as %25."
    return ["is not valid percent-encoded UTF-8", fix]
  }
}

/** By name: the error's code, and after a dot which of its cases. */
export const messages = { pattern: wordsOfPattern, ...ofOptions, ...ofProxies, ...ofCalls, ...ofAnswers }

/** The words of every error. */
export type Messages = typeof messages
