/** Files for an app that serves its own API's description: the document of `app.openapi()`, and the tools of `mcp()`. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Warning } from "../../lib/openapi/model.ts"
import { makeTools } from "../../lib/openapi/tools.ts"
import { dataModule, type GeneratedFile } from "../project/codegen.ts"
import { tokensOf } from "../project/module-tokens.ts"
import { mainOf } from "../project/project.ts"
import { projectDocument } from "./openapi.ts"

/** The parts that an app serves. */
export interface ServedParts {
  readonly openapi: boolean
  readonly mcp: boolean
}

/** The files of the parts. */
export interface EmbeddedAPI {
  readonly files: readonly GeneratedFile[]
  /** Reason why they have no types; null if they have, or there are none. */
  readonly untyped: Pick<Warning, "message" | "fix"> | null
  /** Routes that cannot be tools. */
  readonly leftOut: readonly Warning[]
}

/** Returns the parts that the project's `main.ts` asks for: it calls a method `openapi()`, and it imports `fw/mcp`. */
export async function askedParts(root: string): Promise<ServedParts> {
  const main = mainOf({ root, appDir: "" })
  if (main === null) return { openapi: false, mcp: false }
  const tokens = tokensOf(main, await readFile(join(root, main), "utf8").catch(() => ""))
  return {
    openapi: tokens.some(({ text }, i) => {
      return text === "openapi" && /^\??\.$/.test(tokens[i - 1]?.text ?? "") && tokens[i + 1]?.text === "("
    }),
    mcp: tokens.some(({ kind, text }) => kind === "string" && text.slice(1, -1) === "fw/mcp"),
  }
}

/**
 * Returns the files that an app needs to serve its document and its tools.
 *
 * @throws FwError as `fw routes` does.
 */
export async function embeddedAPI(root: string, appDir: string, parts: ServedParts): Promise<EmbeddedAPI> {
  if (!parts.openapi && !parts.mcp) return { files: [], untyped: null, leftOut: [] }
  const made = await projectDocument(root, { appDir })
  const { document, typed, warnings } = made
  const tools = makeTools(made)
  return {
    files: [
      ...(parts.openapi ? filesOf("openapi", document) : []),
      ...(parts.mcp ? filesOf("mcp", tools.set) : []),
    ],
    untyped: (typed ? null : warnings[0]) ?? null,
    leftOut: parts.mcp ? tools.warnings : [],
  }
}

function filesOf(part: keyof ServedParts, data: object): GeneratedFile[] {
  const text = JSON.stringify(data)
  return [
    { file: `.fw/${part}.json`, text: `${text}\n` },
    { file: `.fw/${part}.ts`, text: dataModule(text) },
  ]
}
