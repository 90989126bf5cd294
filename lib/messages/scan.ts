/** Messages about the files of the route directory. */
import type { Message, Messages } from "./message.ts"

const helperHint = "A helper can have any other name."
const syntaxHint = "Fix the syntax. npx tsc --noEmit shows all errors."

export const scanMessages = {
  app_dir: (dir: string, example: string) => [
    `there is no directory ${JSON.stringify(dir)} to read routes from`,
    `Create it, with a first route in ${example}, or name another one: new App({ appDir }).`,
  ],
  "conflict.files": (first: string, second: string, route: string) => [
    `${first} and ${second} both claim ${route}`,
    "Remove one of them, or move it to another directory.",
  ],
  duplicate: (first: string, second: string, role: string) => [
    `${first} and ${second} are the same ${role}`,
    "Remove one of them.",
  ],
  "exports.data": (name: string) => [`${name} is not a function`, `Write export function ${name}(…) { … }.`],
  "exports.default": (role: string, example: string) => [
    `fw does not read the default export of a ${role} file`,
    `Write ${example}.`,
  ],
  "exports.generator": (name: string) => [
    `${name} is a generator, which cannot answer a request`,
    `Write function ${name}(…) without the *. c.stream() and c.sse() send the values of a generator.`,
  ],
  "exports.handler": (name: string, handlers: readonly string[]) => [
    `${name} is not a handler that a route file can export`,
    `Export a function for each method: ${handlers.join(", ")}.`,
  ],
  "exports.missing": (name: string, example: string) => [`the file does not export ${name}`, `Write ${example}.`],
  "exports.near": (name: string, suggestion: string) => [
    `${name} is not an export that fw recognises. Did you mean ${suggestion}?`,
    `Rename it to ${suggestion}. ${helperHint}`,
  ],
  "exports.none": (example: string, handlers: readonly string[]) => [
    "the route file exports no handler",
    `Write ${example}; the names are ${handlers.join(", ")}.`,
  ],
  "exports.pattern": (name: string) => [
    "fw cannot read the names of a destructured export",
    `Export each by its name: export const ${name} = …`,
  ],
  "exports.star": (name: string) => [
    'fw cannot see the names behind "export *" without running the file',
    `Name what it exports: export { ${name} } from "…".`,
  ],
  "exports.template": (name: string, form: string) => [
    `the file has no template ${name}`,
    `Write template ${form} { … }.`,
  ],
  "file_name.flat": (file: string) => [
    "the name of a file is not part of a URL",
    `Move it to ${file}, which exports a function per method.`,
  ],
  "file_name.near": (name: string) => [
    `this is not a file name that fw recognises. Did you mean ${name}?`,
    `Rename it to ${name}. ${helperHint}`,
  ],
  "file_name.xml": () => [
    "pages and layouts are HTML. A route answers with XML",
    "Rename it, such as to feed.xml.tpl, and answer with it in a route.ts: c.xml(200, Feed()).",
  ],
  link: (kind: "dangling" | "outside" | "loop") => [
    {
      dangling: "the symbolic link leads to a path that does not exist",
      outside: "the symbolic link leads to a directory outside the project",
      loop: "the symbolic link leads back to a directory that contains it",
    }[kind],
    "Remove it, or begin its name with _ to leave it out.",
  ],
  "mcp_export.literal": () => [
    "mcp is not a literal, and fw reads it without running the file",
    'Write export const mcp = true, or the methods themselves: export const mcp = ["Get", "Post"].',
  ],
  "mcp_export.method": (name: string, methods: readonly string[]) => [
    `mcp names ${JSON.stringify(name)}, which cannot be offered`,
    `Name handlers of this file: ${methods.join(", ")}.`,
  ],
  "mcp_export.missing": (name: string) => [
    `mcp offers ${name}, but the file does not export a handler ${name}`,
    name === "Get"
      ? 'Name the handlers to offer: export const mcp = ["Post"]. The value true means Get.'
      : `Remove ${JSON.stringify(name)} from mcp, or write export function ${name}(c) { … }.`,
  ],
  "job_file.top": () => [
    "a job has the name of its directory, and this file is at the top of the route directory",
    "Move it into a directory, such as app/mail/welcome/job.ts for the job mail/welcome.",
  ],
  "job_file.twice": (first: string, second: string, name: string) => [
    `${first} and ${second} are both the job ${name}`,
    "Give one of their directories another name. Groups such as (shop) are not part of it.",
  ],
  misplaced: (role: string, path: string) => [
    `fw reads the ${role} file only at the top of the route directory`,
    `Move it to ${path}.`,
  ],
  "prerender_export.get": () => [
    "prerender is for the answers to GET, and the route file exports no Get",
    "Take prerender out, or answer GET: export function Get(c) { … }.",
  ],
  "prerender_export.layout": () => [
    "fw does not read prerender of a layout",
    "Write it into each page that is made at build time: export const prerender = true.",
  ],
  "prerender_export.list": (params: readonly string[]) => [
    `prerender must be a function, because the path has parameters whose values only the program knows: ${params.join(", ")}`,
    `Return the values: export function prerender() { return [{ ${params.map((name) => `${name}: "a"`).join(", ")} }] }. The function may be async.`,
  ],
  "prerender_export.literal": () => [
    "prerender is neither true nor false, and the path has no parameters",
    "Write export const prerender = true, which fw reads without running the file.",
  ],
  "proxy_config.key": (key: string) => [
    `ProxyConfig has an unknown key ${JSON.stringify(key)}`,
    "It takes matcher (or matchers) and excludes.",
  ],
  "proxy_config.literal": (example: string) => [
    "ProxyConfig is not a literal, and fw reads it without running the file",
    `Write the paths themselves, ${example}.`,
  ],
  "proxy_config.string": (key: string, text: string) => [
    `ProxyConfig's ${key} is a string, not a list`,
    `Write ${key}: [${text}].`,
  ],
  "proxy_config.twice": (key: string) => [`ProxyConfig has ${key} twice`, "Put both lists into one."],
  scan: formatProblems,
  "syntax.comment": (_bracket?: string) => ["the comment never ends", syntaxHint],
  "syntax.open": (bracket: string) => [`${bracket} is never closed`, syntaxHint],
  "syntax.close": (bracket: string) => [`${bracket} closes nothing`, syntaxHint],
  "syntax.string": (_bracket?: string) => ["the string never ends", syntaxHint],
  "syntax.template": (_bracket?: string) => ["the template literal never ends", syntaxHint],
  unreadable: (reason: string) => [
    `it cannot be read: ${reason}`,
    "Give the user that runs fw read access to the file or directory, or move it out of the route directory.",
  ],
} satisfies Messages

/** Returns the message that stands for several problems. */
export function formatProblems(problems: readonly unknown[]): Message {
  const [only] = (problems.length === 1 ? problems : []) as readonly { readonly fix: string }[]
  return [problems.join("\n"), only ? only.fix : `Fix these ${problems.length} problems.`]
}
