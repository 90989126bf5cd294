/** Reads OpenAPI documents in JSON or YAML. */
import { readFile, stat } from "node:fs/promises"
import { toolFault } from "../messages/tools.ts"

/**
 * Reads a document from a file.
 *
 * @throws FwError `spec` if the file is missing, cannot be parsed, or is not a document.
 */
export async function readDocument(path: string, file: string): Promise<object> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw toolFault("spec.file", [file, found !== null], { at: { file } })
  return parseDocument(await readFile(path, "utf8"), file)
}

/**
 * Parses a document.
 *
 * @throws FwError `spec` if the text cannot be parsed or is not a document.
 */
export async function parseDocument(text: string, file: string): Promise<object> {
  const document = await parseText(text, file)
  if (typeof document === "object" && document !== null && "openapi" in document) return document
  const isOld = typeof document === "object" && document !== null && "swagger" in document
  throw toolFault("spec.content", [file, isOld], { at: { file } })
}

/**
 * Parses JSON or YAML. JSON is tried first, although YAML 1.2 includes it: its parser is faster, and its errors do
 * not mention YAML.
 */
async function parseText(text: string, file: string): Promise<unknown> {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text)
    return (await import("#vendor/yaml")).parse(text)
  } catch (cause) {
    const [reason = ""] = (cause as Error).message.split("\n")
    throw toolFault("spec.syntax", [file, reason], { at: { file }, cause })
  }
}
