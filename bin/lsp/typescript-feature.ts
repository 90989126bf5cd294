/** Answers of TypeScript's server about the code in a template: the request goes to the compiled code, the result comes back. */

import { mapMessages } from "../../lib/template/index.ts"
import { shown } from "./compiler-feature.ts"
import type { Feature, OpenTemplate } from "./feature.ts"
import type { ResultMapper } from "./map-results.ts"
import { type Diagnostic, type DocumentParams, errorSeverity } from "./protocol.ts"
import type { TypeScriptServer } from "./typescript-server.ts"

/** Requests about a position in code. */
const positional = new Set(
  (
    "hover completion signatureHelp definition typeDefinition implementation references documentHighlight rename " +
    "prepareRename"
  )
    .split(" ")
    .map((name) => `textDocument/${name}`),
)

/** Asks TypeScript's server about templates. */
export class TypeScriptFeature implements Feature {
  readonly #server: TypeScriptServer
  readonly #results: ResultMapper

  constructor(server: TypeScriptServer, results: ResultMapper) {
    this.#server = server
    this.#results = results
  }

  /** Answers by the code at the position. Markup has none. */
  async answer(
    method: string,
    params: DocumentParams,
    { path, template }: OpenTemplate,
    signal: AbortSignal,
  ): Promise<unknown> {
    const position = positional.has(method) && params.position ? template.toCode(params.position) : undefined
    if (!position) return undefined
    const uri = this.#results.moduleURI(path)
    const result = await this.#server.request(method, { ...params, textDocument: { uri }, position }, signal)
    return result === null ? undefined : this.#results.map(result, uri)
  }

  /** Returns the type errors, with the advice that fw has for templates. */
  async diagnostics({ path, template }: OpenTemplate, signal: AbortSignal): Promise<Diagnostic[]> {
    const uri = this.#results.moduleURI(path)
    const params = { textDocument: { uri } }
    const report = (await this.#server.request("textDocument/diagnostic", params, signal)) as {
      items?: readonly Diagnostic[]
    } | null
    return (report?.items ?? []).flatMap((found) => {
      if (template.isUnfinished(found.range.start)) return []
      const range = template.toSource(found.range)
      // Hints about generated code have no meaning.
      if (!range && found.severity !== errorSeverity) return []
      if (found.severity !== errorSeverity) return range ? [{ ...found, range }] : []
      const [mapped] = mapMessages(template.compiled, [
        {
          text: found.message,
          line: found.range.start.line + 1,
          column: found.range.start.character,
          unit: "utf16",
        },
      ])
      if (!mapped) return []
      return [{ ...found, ...shown(template.compiled, mapped), ...(range && { range }) }]
    })
  }
}
