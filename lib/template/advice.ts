// What to do about messages of TypeScript that do not say it themselves. `mapMessages` asks.

/** Names that templates use and what they are imported by. A test holds them to what the modules export. */
export const imports: Readonly<Record<string, string>> = {
  Context: 'import type { Context } from "fw"',
  HttpError: 'import { HttpError } from "fw"',
  Html: 'import type { Html } from "fw/html"',
  html: 'import { html } from "fw/html"',
  raw: 'import { raw } from "fw/html"',
  Xml: 'import type { Xml } from "fw/html"',
  rawXml: 'import { rawXml } from "fw/html"',
}

/** What to do about a message of the type checker; empty where it says it itself. */
export function adviceFor(message: string): string {
  const name = /^Cannot find name '([\w$]+)'/.exec(message)?.[1] ?? ""
  if (Object.hasOwn(imports, name)) return `Write ${imports[name]} at the top of the file.`
  if (!/parameter of type 'ElementName'/.test(message)) return ""
  return 'An element\'s name has a type of literal names, such as "h1" | "h2". docs/templates.md lists them.'
}
