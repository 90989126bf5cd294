/** Sources of the explorer's document: the project, or a file. */
import { readFile, stat } from "node:fs/promises"
import { basename, dirname, join, resolve, sep } from "node:path"
import { toolFault } from "../messages/tools.ts"
import { type OpenAPIFileOptions, projectDocument } from "../openapi/openapi.ts"
import type { DocumentSource } from "./document.ts"

/** Returns the document of a project, which any file of its code may change. */
export function projectSource(root: string, options: OpenAPIFileOptions): DocumentSource {
  return {
    directory: root,
    deep: true,
    concerns: (path) =>
      /\.(?:[cm]?[jt]sx?|tpl|json)$/.test(path) && !path.startsWith(join(root, "dist", sep)),
    read: async () => (await projectDocument(root, options)).document,
  }
}

/** Returns an existing document, in JSON or YAML. */
export function fileSource(cwd: string, file: string): DocumentSource {
  const path = resolve(cwd, file)
  return {
    directory: dirname(path),
    deep: false,
    concerns: (changed) => basename(changed) === basename(path),
    read: () => readSpec(path, file),
  }
}

/** Reads a document. @throws FwError `spec` if the file is missing, cannot be parsed, or is not a document. */
async function readSpec(path: string, file: string): Promise<object> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw toolFault("spec.file", [file, found !== null], { at: { file } })
  const document = await parseSpec(await readFile(path, "utf8"), file)
  if (typeof document === "object" && document !== null && "openapi" in document) return document
  const isOld = typeof document === "object" && document !== null && "swagger" in document
  throw toolFault("spec.content", [file, isOld], { at: { file } })
}

/** Parses JSON or YAML. YAML 1.2 includes JSON, but its parser is slower and its errors mention YAML. */
async function parseSpec(text: string, file: string): Promise<unknown> {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text)
    return (await import("../../vendor/yaml.ts")).parse(text)
  } catch (cause) {
    const [reason = ""] = (cause as Error).message.split("\n")
    throw toolFault("spec.syntax", [file, reason], { at: { file }, cause })
  }
}
