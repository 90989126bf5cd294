/** The document that an app hands out by `app.openapi()`: written to `.fw/` where the app asks for it. Called by dev, build and `generate templates`. */
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
  /** Why it has no types; null where it has them. */
  readonly untyped: Pick<Warning, "message" | "fix"> | null
}

/** Where the app reads it from while it is developed, and the module that a built one carries. */
export const documentFiles = { json: ".fw/openapi.json", module: ".fw/openapi.ts" } as const

/** Whether the project's `main.ts` calls `openapi()` of something: only then is a document worth its time and its bytes. */
export async function asksForDocument(root: string): Promise<boolean> {
  const main = mainOf({ root, appDir: "" })
  if (main === null) return false
  try {
    const { tokens } = tokenize(await readFile(join(root, main), "utf8"), { file: main, jsx: false })
    return tokens.some(({ text }, i) => {
      return text === "openapi" && /^\??\.$/.test(tokens[i - 1]?.text ?? "") && tokens[i + 1]?.text === "("
    })
  } catch {
    // What is no JavaScript is told of by whoever runs it.
    return false
  }
}

/**
 * The document as the files that an app which asks for it takes it from.
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
