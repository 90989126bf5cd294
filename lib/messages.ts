/**
 * The words of the errors that the core tells developers: what is wrong, and how to mend it. Servers have them at hand
 * as a feature of the platform; a worker, which every byte of them would weigh on, imports them. Read by `lib/fault.ts`.
 */

import type { PatternFault } from "./pattern.ts"
import { describe } from "./text.ts"

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
  formPartLimit: (value) => [
    `the option formPartLimit is ${String(value)}, which is not a number of parts`,
    "Write a whole number, such as 1000.",
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
  rewrite: (path: unknown): Words => [
    `proxy.rewrite() takes a path that starts with a slash, not ${quote(path)}`,
    'Write proxy.rewrite("/users/7").',
  ],
}

const examples: Readonly<Record<string, string>> = {
  "app.setProxy": "(c) => proxy.continue()",
  "app.onError": "(c, error) => c.json(500, { error: 'our fault' })",
  "app.notFound": "(c) => c.json(404, { error: 'nothing here' })",
  "router.mount": "(request) => new Response(), or hand over another app's fetch",
  socket: "(c) => ({ message(socket, data) { … } })",
  group: '(group) => group.get("/", handler)',
}

function exampleOf(call: string): string {
  return examples[call.slice(0, call.indexOf("("))] ?? "(c) => c.json(200, data)"
}

const ofCalls = {
  app: (call: string, given: unknown): Words => [
    `${call} takes an App, not ${describe(given)}`,
    "Pass what new App() of this installation of fw gives.",
  ],
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
  method: (method: unknown): Words => [
    `${typeof method === "string" ? quote(method) : describe(method)} is not a valid method`,
    'Write registerRoute("PURGE", "/cache/*", handler), with a name of letters.',
  ],
  handler: (call: string, given: unknown): Words => [
    `${call} was given ${describe(given)}, not a function`,
    `Write ${exampleOf(call)}.`,
  ],
  middleware: (source: string, given: unknown): Words => [
    `${source} was given ${describe(given)}, not a middleware`,
    "Write (next) => (c) => next(c).",
  ],
  "middleware.result": (source: string, given: unknown): Words => [
    `${source} gave ${given === undefined ? "nothing" : describe(given)}, not a handler`,
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
  status: (given: unknown): Words => {
    const order = typeof given === "number" ? "" : ". The status comes first, as in c.json(200, data)"
    return [`${statusText(given)} is not a status: it is an integer from 200 to 599${order}`]
  },
  json: (given: unknown, status: number): Words => [
    `c.json(${status}, …) was given ${describe(given)}, which JSON cannot hold`,
  ],
  string: (given: unknown, _status?: number): Words => [`c.string() sends text, not ${unsent(given)}`],
  html: (given: unknown, _status?: number): Words => [`c.html() sends text or Html, not ${unsent(given)}`],
  xml: (given: unknown, _status?: number): Words => [`c.xml() sends text or Xml, not ${unsent(given)}`],
  blob: (given: unknown, _status?: number): Words => [
    `c.blob() sends text, bytes, a Blob or a ReadableStream, not ${unsent(given)}`,
  ],
  stream: (given: unknown): Words => [
    `c.stream() sends a ReadableStream or what an async generator yields, not ${unsent(given)}${typeof given === "function" ? ": call it" : ""}`,
  ],
  "stream.piece": (given: unknown): Words => [
    `a generator of c.stream() yields bytes, text or Html, not ${unsent(given)}`,
  ],
  bodiless: (status: number): Words => {
    const instead = status === 204 ? "c.noContent()" : `new Response(null, { status: ${status} })`
    return [`an answer of status ${status} has no body: return ${instead}`]
  },
  fetch: (given: unknown): Words => [`app.fetch() takes a Request, not ${describe(given)}`],
  request: (given: unknown): Words => [
    `app.request() takes a path or a URL, not ${describe(given)}: write app.request("/users/7")`,
  ],
  wait: (given: unknown): Words => [
    `c.waitUntil() takes a promise, not ${describe(given)}${typeof given === "function" ? ": call it" : ""}`,
  ],
  locked: (): Words => ["a streamed body is being read already: it cannot be sent"],
  "header.name": (name: unknown): Words => [
    `${typeof name === "string" ? quote(name) : describe(name)} is not a valid header name`,
  ],
  "header.type": (name: string, given: unknown): Words => [
    `the header ${name} takes a string, not ${describe(given)}`,
  ],
  // The value itself is never shown: it may be a secret.
  "header.value": (name: string): Words => [
    `the value for the header ${name} holds a line break, a control character or a character beyond U+00FF`,
  ],
  "redirect.status": (status: unknown): Words => [
    `a redirect's status is one of 301, 302, 303, 307 and 308, not ${statusText(status)}`,
  ],
  "redirect.url": (): Words => [
    "a redirect goes to a URL object, or to a text that is not empty and holds no line break, control character or backslash",
  ],
  "response.error": (): Words => ["Response.error() is no answer: throw an error"],
  "response.used": (): Words => [
    "a Response was returned whose body is used already: return a new one, or response.clone()",
  ],
  "handler.result": (source: string, given: unknown): Words => [
    `${source} returned ${given === undefined ? "nothing" : describe(given)}, not a Response: did it forget to return one?`,
  ],
  "proxy.result": (): Words => [
    "the proxy gave no result: return proxy.continue() or another of its actions",
  ],
}

/** A status that is a number is shown. */
function statusText(given: unknown): string {
  return typeof given === "number" ? String(given) : describe(given)
}

/** Names what cannot be sent. */
function unsent(given: unknown): string {
  return given instanceof Promise ? "a promise: write await before it" : describe(given)
}

/** What is wrong with a pattern, and how to write it. `part` is the segment at fault. */
const ofPatterns: Readonly<
  Record<PatternFault, (part: string, pattern: string) => readonly [what: string, fix: string]>
> = {
  kind: () => ["is not a text", 'Write a path, such as "/users/{id}".'],
  slash: (_part, pattern) => ["does not start with a slash", `Write ${quote(`/${pattern}`)}.`],
  empty: () => ["has an empty segment", "Remove one of the slashes."],
  name: (part) => [
    `has no valid parameter name in ${quote(part)}`,
    "Use letters, digits, _ and -, such as {id}.",
  ],
  end: () => ["has a catch-all before its end", "A * or [...name] must be the last segment."],
  twice: (part) => [
    `names the parameter ${quote(part.replace(/^(?:\[\.\.\.|[{:[])|[}\]]$/g, ""))} twice`,
    "Give each parameter its own name.",
  ],
  query: (part) => [
    `holds more than a path in ${quote(part)}`,
    "Remove the query: a handler reads it itself.",
  ],
  mixed: (part) => [
    `mixes text and a parameter in ${quote(part)}`,
    "A parameter takes a whole segment: /files/{name}.",
  ],
  encoding: () => [
    "is not valid percent-encoded UTF-8",
    "Write the characters themselves, or encode a % as %25.",
  ],
  segment: (part) => [
    `has a segment that no request can have, ${quote(decodeURIComponent(part))}`,
    "Write the path without dot segments, backslashes and NUL.",
  ],
}

function wordsOfPattern(pattern: unknown, fault: PatternFault, part = ""): Words {
  if (typeof pattern !== "string")
    return [`${describe(pattern)} is not a pattern`, ofPatterns.kind("", "")[1]]
  const [what, fix] = ofPatterns[fault](part, pattern)
  return [`the pattern ${quote(pattern)} ${what}${caret(pattern, fault, part)}`, fix]
}

/** The pattern on a line of its own with a mark under the segment at fault. Control characters would move the mark. */
function caret(pattern: string, fault: PatternFault, part: string): string {
  const written = part === "" ? "//" : `/${part}`
  const at = fault === "twice" ? pattern.lastIndexOf(written) : pattern.indexOf(written)
  if (fault === "slash" || at < 0 || /[^\x20-\x7e]/.test(pattern)) return ""
  return `\n  ${pattern}\n  ${" ".repeat(at + 1)}${"^".repeat(Math.max(part.length, 1))}`
}

/** By name: the error's code, and after a dot which of its cases. */
export const messages = { pattern: wordsOfPattern, ...ofOptions, ...ofProxies, ...ofCalls, ...ofAnswers }

/** The words of every error. */
export type Messages = typeof messages
