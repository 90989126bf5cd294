/** The paths of documents, whose URIs editors spell in several ways. */

import { fileURLToPath } from "node:url"

/** Returns the path of a file's URI, however its characters are escaped; undefined for other URIs. */
export function toPath(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined
  } catch {
    return undefined
  }
}

/** True for the file of a template. */
export function isTemplate(path: string | undefined): path is string {
  return path?.endsWith(".tpl") === true
}
