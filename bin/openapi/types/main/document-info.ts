/**
 * Reads the options that the main file passes to `app.openapi()`: title, version, description, server and patterns.
 */

import type { Node } from "../../../tools/typescript/program.ts"
import type { DocumentInfo } from "../../document/model.ts"
import { readArgumentNames } from "../calls/context-calls.ts"
import type { FactFinder } from "../calls/fact-finder.ts"
import { findTarget } from "../calls/functions.ts"
import { findProperty } from "../calls/platform-calls.ts"

/** Reads the options, as far as their types tell. */
export function readDocumentInfo(options: Node, { program, warn }: FactFinder): DocumentInfo {
  const literal = findTarget(options, program) ?? options
  const entries = (["title", "version", "description", "server"] as const).flatMap((name) => {
    const value = findProperty(literal, name, program)
    const texts =
      value && (readArgumentNames(value, program) ?? readArgumentNames(findTarget(value, program) ?? value, program))
    return texts?.length === 1 ? [[name, texts[0]] as const] : []
  })
  const lists = (["include", "exclude"] as const).flatMap((name) => {
    const value = findProperty(literal, name, program)
    const list = value && ((findTarget(value, program) ?? value) as Node & { readonly elements?: readonly Node[] })
    const texts = list?.elements?.flatMap((one) => {
      const found = readArgumentNames(one, program)
      if (!found) warn(one, ...createUnreadWarning(name))
      return found ?? []
    })
    if (value && !texts) warn(value, ...createUnreadWarning(name))
    return texts ? [[name, texts] as const] : []
  })
  return Object.fromEntries([...entries, ...lists])
}

/** Returns the warning about patterns that are known only at run time. */
function createUnreadWarning(name: string): [message: string, fix: string] {
  const message = `a pattern in ${name} of app.openapi() is not known before the program runs, so it has no effect`
  return [message, `Write the patterns as texts in a list: ${name}: ["/api/*"].`]
}
