/** Messages about a project's browser files. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"
import { formatProblems } from "../../lib/messages/scan.ts"

const serverFix = "Move what the browser needs to a module without it, or answer it from a route that the script asks."

/** Formats a chain of imports: `assets/cart.ts → lib/shop.ts → node:fs`. */
function formatChain(chain: readonly string[]): string {
  return chain.join(" → ")
}

export const assetMessages = {
  browser: (message: string, fix?: string) => [message, fix ?? "Fix the file."],
  "browser.env": (name: string) => [
    `${name} is not available in the browser: everybody can read what a script contains`,
    "Only names that begin with PUBLIC_ become part of scripts. Rename the variable, or print the value in a template.",
  ],
  "browser.framework": (name: string, chain: readonly string[]) => [
    `${name} does not run in the browser: ${formatChain(chain)}`,
    `${serverFix} From fw, browser code can import #links, and types with import type.`,
  ],
  "browser.node": (name: string, chain: readonly string[]) => [
    `${name} is a module of Node, which browsers do not have: ${formatChain(chain)}`,
    serverFix,
  ],
  "browser.public": (name: string) => [
    `${name} has no value, so it cannot become part of the script`,
    `Set ${name} in .env, or in the environment of the command.`,
  ],
  "browser.server": (file: string, chain: readonly string[]) => [
    `${file} is code of the server: ${formatChain(chain)}`,
    serverFix,
  ],
  "browser.several": formatProblems,
  "element.base": (name: string) => [
    `${name} is not an element: its class extends nothing`,
    `Write export class ${name} extends HTMLElement { … }.`,
  ],
  "element.class": (name: string, other?: string) => [
    `the file does not export ${name}${other === undefined ? "" : `. It exports ${other}`}`,
    `Write export class ${name} extends HTMLElement { … }. The name of the class follows from the name of the file.`,
  ],
  "element.name": (name: string) => [
    `${name} cannot be the name of an element`,
    "Write small letters, digits and dashes: chart-line.element.ts defines <chart-line-element>.",
  ],
  "element.twice": (tag: string, first: string, second: string) => [
    `${first} and ${second} both define <${tag}>`,
    "Rename one of them. A tag belongs to the whole page.",
  ],
} satisfies Messages

/** Creates an error about browser files. */
export const assetFault = createFaults(assetMessages)
