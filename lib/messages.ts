/**
 * The words of the errors that the core tells developers: what is wrong, and how to mend it. Servers have them at hand
 * as a feature of the platform; a worker, which every byte of them would weigh on, imports them. Read by `lib/fault.ts`.
 */

/** What is wrong, and what to do. */
type Words = readonly [what: string, fix: string]

const quote = (value: unknown) => JSON.stringify(value)

const ofPatterns = {
  "pattern.slash": (pattern: string): Words => [
    `the pattern ${quote(pattern)} does not start with a slash`,
    `Write ${quote(`/${pattern}`)}.`,
  ],
  "pattern.empty": (pattern: string): Words => [
    `the pattern ${quote(pattern)} has an empty segment`,
    "Take one of the slashes away.",
  ],
  "pattern.name": (pattern: string, segment: string): Words => [
    `the pattern ${quote(pattern)} has no valid parameter name in ${quote(segment)}`,
    "Use letters, digits, _ and -, such as {id}.",
  ],
  "pattern.twice": (pattern: string, name: string): Words => [
    `the pattern ${quote(pattern)} names the parameter ${quote(name)} twice`,
    "Give each parameter its own name.",
  ],
  "pattern.rest": (pattern: string): Words => [
    `the pattern ${quote(pattern)} has a catch-all before its end`,
    "A * or [...name] must be the last segment.",
  ],
  "pattern.query": (pattern: string, segment: string): Words => [
    `the pattern ${quote(pattern)} holds more than a path in ${quote(segment)}`,
    "Take the query away: a handler reads it itself.",
  ],
  "pattern.mixed": (pattern: string, segment: string): Words => [
    `the pattern ${quote(pattern)} mixes text and a parameter in ${quote(segment)}`,
    "A parameter takes a whole segment: /files/{name}.",
  ],
  "pattern.encoding": (pattern: string): Words => [
    `the pattern ${quote(pattern)} is not valid percent-encoded UTF-8`,
    "Write the characters themselves, or encode a % as %25.",
  ],
  "pattern.unreachable": (pattern: string, segment: string): Words => [
    `the pattern ${quote(pattern)} has a segment that no request can have, ${quote(segment)}`,
    "Write the path without dot segments, backslashes and NUL.",
  ],
}

const ofOptions = {
  "app_options.object": (): Words => [
    "new App() takes an object of options",
    'Write new App({ appDir: "app" }).',
  ],
  "app_options.unknown": (key: string): Words => [
    `new App() has no option ${quote(key)}`,
    "It takes appDir, staticDir, bodyLimit, trustedProxies, logger.",
  ],
  "app_options.directory": (key: string): Words => [
    `the option ${key} is no directory name`,
    `Write ${key}: "some/directory".`,
  ],
  "app_options.bytes": (what: string, limit: unknown): Words => [
    `${what} is ${String(limit)}, which is no number of bytes`,
    "Write a whole number, such as 1024 * 1024.",
  ],
  "app_options.logger": (): Words => [
    "the option logger is neither true, false nor a configuration",
    'Write logger: { level: "info" }.',
  ],
  "app_options.trustedProxies": (): Words => [
    "the option trustedProxies is no list",
    'Write trustedProxies: ["10.0.0.0/8"].',
  ],
  logger_config: (key: string, known: readonly string[]): Words => [
    `the logger's ${key} is invalid`,
    `It has ${known.join(", ")}.`,
  ],
}

const ofProxies = {
  "proxy_config.object": (): Words => ["a ProxyConfig is an object", 'Write { matchers: ["/api/*"] }.'],
  "proxy_config.unknown": (key: string): Words => [
    `ProxyConfig has an unknown key ${quote(key)}`,
    "It takes matcher (or matchers) and excludes.",
  ],
  "proxy_config.list": (key: string): Words => [
    `ProxyConfig.${key} is no list of strings`,
    `Write ${key}: ["/api/*"].`,
  ],
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
  handler: (call: string, given: string, example: string): Words => [
    `${call} was given ${given}, not a function`,
    `Write ${example}.`,
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

/** By name: the error's code, and after a dot which of its cases. */
export const messages = { ...ofPatterns, ...ofOptions, ...ofProxies, ...ofCalls }

/** The words of every fault. */
export type Messages = typeof messages
