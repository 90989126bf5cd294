/** The document of `app.openapi()`, written to `.fw/` if the app serves it. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Warning } from "../../lib/openapi/model.ts"
import { tokenize } from "../../lib/scan/tokens.ts"
import { documentModule, type GeneratedFile } from "../project/codegen.ts"
import { mainOf } from "../project/project.ts"
import { projectDocument } from "./openapi.ts"

/** The files of a document. */
export interface EmbeddedDocument {
  readonly files: readonly GeneratedFile[]
  /** Reason why it has no types; null if it has. */
  readonly untyped: Pick<Warning, "message" | "fix"> | null
}

/** The file that the app reads in development, and the module for builds. */
export const documentFiles = { json: ".fw/openapi.json", module: ".fw/openapi.ts" } as const

/**
 * Returns true if the project's `main.ts` calls a method `openapi()`, because only then is a document needed.
 */
export async function asksForDocument(root: string): Promise<boolean> {
  const main = mainOf({ root, appDir: "" })
  if (main === null) return false
  try {
    const { tokens } = tokenize(await readFile(join(root, main), "utf8"), { file: main, jsx: false })
    return tokens.some(({ text }, i) => {
      return text === "openapi" && /^\??\.$/.test(tokens[i - 1]?.text ?? "") && tokens[i + 1]?.text === "("
    })
  } catch {
    // Other code reports a syntax error.
    return false
  }
}

/**
 * Returns the document as the files that an app needs to serve it.
 *
 * @throws FwError as `fw routes` does.
 */
export async function documentOf(root: string, appDir: string): Promise<EmbeddedDocument> {
  const { document, typed, warnings } = await projectDocument(root, { appDir })
  const text = JSON.stringify(document)
  const files = [
    { file: documentFiles.json, text: `${text}\n` },
    { file: documentFiles.module, text: documentModule(text) },
  ]
  return { files, untyped: (typed ? null : warnings[0]) ?? null }
}
