/**
 * Generates the files with which an app serves a description of its own API: the document of `app.openapi()` and
 * the tools of `mcp()`.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type GeneratedFile, renderDataModule } from "../project/codegen.ts"
import { findFiles } from "../project/find-files.ts"
import { readTokens } from "../project/module-tokens.ts"
import { findMain } from "../project/project.ts"
import { readSettings } from "../project/settings.ts"
import type { Warning } from "./document/model.ts"
import { makeTools } from "./document/tools.ts"
import { makeProjectDocument } from "./openapi.ts"

/** The parts that an app serves. */
export interface ServedParts {
  readonly openapi: boolean
  readonly mcp: boolean
}

/** The files that describe the API of an app. */
export interface EmbeddedAPI {
  readonly files: readonly GeneratedFile[]
  /** Why the parts have no types; null if they have types or there are no parts. */
  readonly untyped: Pick<Warning, "message" | "fix"> | null
  /** The reasons why some routes cannot be tools. */
  readonly leftOut: readonly Warning[]
}

/**
 * Finds out which parts a project serves: the document if a module calls a method `openapi()`, and the tools if a
 * module imports `fw/mcp`. Every module is searched, because `main.ts` may call a function that does so. A project
 * without a main file serves no parts.
 */
export async function findServedParts(root: string): Promise<ServedParts> {
  if (findMain({ root, appDir: "" }) === null) return { openapi: false, mcp: false }
  // Browser code serves nothing and may be large.
  const assets = `${readSettings(root).assets}/`
  const isSource = (name: string) => /(?<!\.d|\.test|\.tpl)\.[cm]?[jt]sx?$/.test(name)
  const files = (await findFiles(root, isSource)).filter((file) => !file.startsWith(assets))
  const found = await Promise.all(files.map((file) => findPartsIn(root, file)))
  return { openapi: found.some(({ openapi }) => openapi), mcp: found.some(({ mcp }) => mcp) }
}

async function findPartsIn(root: string, file: string): Promise<ServedParts> {
  const text = await readFile(join(root, file), "utf8").catch(() => "")
  const tokens = /\.openapi\b|fw\/mcp/.test(text) ? readTokens(file, text) : []
  return {
    openapi: tokens.some(({ text }, i) => {
      return text === "openapi" && /^\??\.$/.test(tokens[i - 1]?.text ?? "") && tokens[i + 1]?.text === "("
    }),
    mcp: tokens.some(({ kind, text }) => kind === "string" && text.slice(1, -1) === "fw/mcp"),
  }
}

/**
 * Generates the files for the parts.
 *
 * @throws FwError as `fw routes` does.
 */
export async function createEmbeddedAPI(root: string, appDir: string, parts: ServedParts): Promise<EmbeddedAPI> {
  if (!parts.openapi && !parts.mcp) return { files: [], untyped: null, leftOut: [] }
  const result = await makeProjectDocument(root, { appDir })
  const { document, isTyped, warnings } = result
  const tools = makeTools(result)
  return {
    files: [
      ...(parts.openapi ? createFiles("openapi", document) : []),
      ...(parts.mcp ? createFiles("mcp", tools.set) : []),
    ],
    untyped: (isTyped ? null : warnings[0]) ?? null,
    leftOut: parts.mcp ? tools.warnings : [],
  }
}

function createFiles(part: keyof ServedParts, data: object): GeneratedFile[] {
  const text = JSON.stringify(data)
  return [
    { file: `.fw/${part}.json`, text: `${text}\n` },
    { file: `.fw/${part}.ts`, text: renderDataModule(text) },
  ]
}
