/** Fixes for messages of TypeScript that do not include one. */

/** Names that templates use, with their modules. A test compares them with the modules' exports. */
export const imports: Readonly<Record<string, string>> = {
  Context: 'import type { Context } from "fw"',
  HttpError: 'import { HttpError } from "fw"',
  Html: 'import type { Html } from "fw/html"',
  html: 'import { html } from "fw/html"',
  raw: 'import { raw } from "fw/html"',
  Xml: 'import type { Xml } from "fw/html"',
  rawXml: 'import { rawXml } from "fw/html"',
}

const linksAdvice =
  'Add "#links": "./.fw/links.ts" to "imports" in package.json. fw dev, fw build and fw generate templates write that file.'

/**
 * Returns the fix for an import of a template by its own name, and for one of `#links` that leads nowhere, as the type
 * checker and esbuild report them; empty for other messages.
 */
export function importAdvice(message: string): string {
  if (/^(?:Cannot find module '|Could not resolve ")#links['"]/.test(message)) return linksAdvice
  const name =
    /^Cannot find module '(?:[^']*\/)?([^'/]+\.tpl)'/.exec(message)?.[1] ??
    /^No loader is configured for "\.tpl" files: (?:.*\/)?([^/]+\.tpl)$/.exec(message)?.[1]
  return name === undefined ? "" : `Import the compiled template, which fw writes next to it: ${name}.ts`
}

/** Returns the fix for a promise where its result is needed; empty for other messages, and where a promise may be given. */
export function awaitAdvice(message: string): string {
  const target = /(?:to (?:parameter of )?type|required in type|properties from type) '[^']*\bPromise</
  // A promise may be one member of a union. In a function type, it is the result.
  const given = /'(?:[^'=]*\| )?Promise</
  if (!message.includes("forget to use 'await'") && (!given.test(message) || target.test(message))) return ""
  return "Is an await missing? The value is a promise: write await before it."
}

/** Returns the fix for a message of the type checker; empty if the message includes it. */
export function adviceFor(message: string): string {
  const name = /^Cannot find name '([\w$]+)'/.exec(message)?.[1] ?? ""
  if (Object.hasOwn(imports, name)) return `Write ${imports[name]} at the top of the file.`
  const compiled = importAdvice(message)
  if (compiled) return compiled
  const printed = /^Argument of type '(.+)' is not assignable to parameter of type 'Printable'/.exec(
    message,
  )?.[1]
  if (printed === "void")
    return "This returns nothing. Write {for (const one of list) { … }} to print each of a list."
  if (printed === "unknown")
    return "The type of this value is unknown. Declare it where the value is made, or print a text of it: {String(value)}."
  const awaited = awaitAdvice(message)
  if (printed !== undefined && !awaited) return "Print a property of it, such as {user.name}."
  if (!/parameter of type 'ElementName'/.test(message)) return awaited
  return 'An element\'s name has a type of literal names, such as "h1" | "h2". docs/reference/templates.md lists them.'
}

/**
 * Returns the fix for a call with one argument less than a template has parameters: its markup, which is the
 * last one, or the context of a layout.
 *
 * @param at the source from the position of the message.
 * @param templates of the same file.
 */
export function childrenAdvice(
  message: string,
  at: string,
  templates: readonly { readonly name: string; readonly children: boolean }[],
): string {
  const [, expected, given] = /^Expected (\d+) arguments, but got (\d+)/.exec(message) ?? []
  if (expected === undefined || Number(expected) - Number(given) !== 1) return ""
  const name = /^(?:await\s+)?([\w$.]+)(?:<[^()]*>)?\(/.exec(at)?.[1]
  if (name === undefined) return ""
  const template = templates.find((one) => one.name === name)
  // Markup was passed to a layout without its context, as in Outer(title) { … }.
  if (!template && /^[^\n]*\) *\{ *(?:\n|$)/.test(at))
    return `A layout takes the title and the context before its markup: ${name}(title, c) { … }.`
  if (template?.children) return `${name} takes markup: {${name}(…) { … }}.`
  return template || !/^(?:.*\.)?[A-Z]/.test(name)
    ? ""
    : `If ${name} prints {children}, pass it markup: {${name}(…) { … }}.`
}
