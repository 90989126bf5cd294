/** Adds fixes to messages of TypeScript, which only say what is wrong. */

/** Names that templates use, with the imports for them. A test compares them with the exports of the modules. */
export const importStatements: Readonly<Record<string, string>> = {
  Context: 'import type { Context } from "fw"',
  HttpError: 'import { HttpError } from "fw"',
  Html: 'import type { Html } from "fw/html"',
  html: 'import { html } from "fw/html"',
  raw: 'import { raw } from "fw/html"',
  Xml: 'import type { Xml } from "fw/html"',
  rawXml: 'import { rawXml } from "fw/html"',
}

function adviseImport(name: string): string {
  return `Add "#${name}": "./.fw/${name}.ts" to "imports" in package.json. fw dev, fw build and fw generate templates write that file.`
}

/**
 * Returns the fix for an import of a template by its plain name, and for a missing `#links` or `#assets`. The messages
 * are those of the type checker and of esbuild. Returns `""` for any other message.
 */
export function findImportFix(message: string): string {
  const [, importName] = /^(?:Cannot find module '|Could not resolve ")#(links|assets)['"]/.exec(message) ?? []
  if (importName !== undefined) return adviseImport(importName)
  const name =
    /^Cannot find module '(?:[^']*\/)?([^'/]+\.tpl)'/.exec(message)?.[1] ??
    /^No loader is configured for "\.tpl" files: (?:.*\/)?([^/]+\.tpl)$/.exec(message)?.[1]
  return name === undefined ? "" : `Import the compiled template, which fw writes next to it: ${name}.ts`
}

/**
 * Returns the fix for a promise that is used where its result is needed. Returns `""` for any other message, and if a
 * promise is allowed.
 */
export function findAwaitFix(message: string): string {
  const promiseExpected = /(?:to (?:parameter of )?type|required in type|properties from type) '[^']*\bPromise</
  // The promise may be a member of a union. In the type of a function it is only the result.
  const argumentMismatch = /'(?:[^'=]*\| )?Promise</
  if (!message.includes("forget to use 'await'") && (!argumentMismatch.test(message) || promiseExpected.test(message)))
    return ""
  return "Is an await missing? The value is a promise: write await before it."
}

const loopFix = "Write {for (const one of list) { … }} to print each of a list."

/** Fixes for values that cannot be printed, by their type in the message. The first that fits is used. */
const printFixes: readonly (readonly [type: RegExp, fix: string])[] = [
  [/=>|^Function$/, "Is a call missing? Write parentheses after the name of the function: {name()}."],
  [/^void$/, `This returns nothing. ${loopFix}`],
  [
    /^unknown$/,
    "The type of this value is unknown. Declare it where the value is made, or print a text of it: {String(value)}.",
  ],
  [/\[\]$|^(?:readonly \[|\[)/, loopFix],
  [/^(?:true|boolean)\b/, 'Print a text for it: {done ? "yes" : "no"}. To print markup, write {if (done) { … }}.'],
  [/^(?:unique )?symbol\b/, "Print its description: {mark.description}."],
  [/^Date\b/, 'Print a text of it: {date.toISOString()}, or {date.toLocaleDateString("en")}.'],
  [/^(?:Readonly|Weak)?Map</, "Write {for (const [key, value] of map) { … }} to print each entry."],
  [
    /^(?:(?:Readonly|Weak)?Set|(?:Async)?(?:Iterable|Iterator|IterableIterator|Generator)\w*|\w*(?:Array|Iterator))</,
    loopFix,
  ],
  [/^\w*Error\b/, "Print its message: {error.message}."],
  [/^(?:URL|RegExp|URLSearchParams|URLPattern)\b/, "Print a text of it: {String(value)}."],
  [/^Xml\b/, "Print it in a template of XML, or its text: {String(value)}."],
  [
    /^(?:Typed)?Response\b/,
    "A template prints markup and cannot answer. Redirect in a middleware.ts of its directory, or in a handler Get of a route.ts in place of the page.",
  ],
  [/^/, "Print a property of it, such as {user.name}."],
]

/** Returns the fix for printing a value of a type. */
function findPrintFix(value: string): string {
  return printFixes.find(([type]) => type.test(value))?.[1] ?? ""
}

/** Fixes for values that an attribute does not accept, by the type that it accepts. */
const attributeFixes: Readonly<Record<string, string>> = {
  StyleValue:
    'A style takes an object: style={{ color: value }}. Text that is written here is in quotes: style="color: red".',
  JSONObject: "It takes an object, which is printed as JSON: hx-vals={{ name: value }}.",
  ConfigObject: "It takes an object, which is printed as JSON: hx-config={{ timeout: 500 }}.",
  URLValue: "Give it one address, as text or as a URL: href={url}.",
  ClassValue: 'Give it names, or a list of names and conditions: class={["a", condition && "b"]}.',
  AttributeValue: "Give it one text or number: a property, such as title={user.name}, or a text of it.",
}

/** The type of an argument, and the type of the parameter. */
const argumentPattern = /^Argument of type '(.+?)' is not assignable to parameter of type '(\w+)/s

/** Returns the fix for a message of the type checker; `""` if the message is enough. */
export function findFix(message: string): string {
  const name = /^Cannot find name '([\w$]+)'/.exec(message)?.[1] ?? ""
  if (Object.hasOwn(importStatements, name)) return `Write ${importStatements[name]} at the top of the file.`
  const importFix = findImportFix(message)
  if (importFix) return importFix
  const [, value = "", expectedType = ""] = argumentPattern.exec(message) ?? []
  const awaitFix = findAwaitFix(message)
  if (awaitFix) return awaitFix
  if (/^(?:Xml)?Printable$|^PlainText$/.test(expectedType)) return findPrintFix(value)
  // These attributes accept text, so the fixes for printing apply: the text of a date, and the result of a call.
  if (expectedType === "AttributeValue" && /^Date\b|=>/.test(value)) return findPrintFix(value)
  const attribute = expectedType || (/in type 'readonly (ClassValue)\[\]'/.exec(message)?.[1] ?? "")
  if (Object.hasOwn(attributeFixes, attribute)) return attributeFixes[attribute] ?? ""
  if (expectedType !== "ElementName") return ""
  return 'An element\'s name has a type of literal names, such as "h1" | "h2". docs/reference/templates.md lists them.'
}

/**
 * Returns the fix for a call that has one argument less than the template has parameters. The missing one is the
 * markup, which is the last parameter, or the context of a layout.
 *
 * @param at the source from the position of the message on.
 * @param templates the templates of the same file.
 */
export function findChildrenFix(
  message: string,
  at: string,
  templates: readonly { readonly name: string; readonly children: boolean }[],
): string {
  const [, expected, actual] = /^Expected (\d+) arguments, but got (\d+)/.exec(message) ?? []
  if (expected === undefined || Number(expected) - Number(actual) !== 1) return ""
  const name = /^(?:await\s+)?([\w$.]+)(?:<[^()]*>)?\(/.exec(at)?.[1]
  if (name === undefined) return ""
  const template = templates.find((one) => one.name === name)
  // Markup was passed to a layout, but no context, as in Outer(title) { … }.
  if (!template && /^[^\n]*\) *\{ *(?:\n|$)/.test(at))
    return `A layout takes the title and the context before its markup: ${name}(title, c) { … }.`
  if (template?.children) return `${name} takes markup: {${name}(…) { … }}.`
  return template || !/^(?:.*\.)?[A-Z]/.test(name)
    ? ""
    : `If ${name} prints {children}, pass it markup: {${name}(…) { … }}.`
}
