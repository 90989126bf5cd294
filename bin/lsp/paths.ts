/** Converts URIs of documents to paths. Editors write the same URI in several ways. */

import { fileURLToPath } from "node:url"

/** Returns the path of a file URI, whichever characters are escaped; undefined for other URIs. */
export function toPath(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined
  } catch {
    return undefined
  }
}

/** Returns true for the path of a template. */
export function isTemplate(path: string | undefined): path is string {
  return path?.endsWith(".tpl") === true
}
