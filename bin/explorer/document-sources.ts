/** The sources from which the explorer gets its document: a project or a file. */
import { basename, dirname, join, resolve, sep } from "node:path"
import { makeProjectDocument, type OpenAPIFileOptions } from "../openapi/openapi.ts"
import { readDocument } from "../openapi/read-document.ts"
import type { DocumentSource } from "./live-document.ts"

/** Returns a source that generates the document from a project. Any code file may change the document. */
export function createProjectSource(root: string, options: OpenAPIFileOptions): DocumentSource {
  return {
    directory: root,
    isRecursive: true,
    dependsOn: (path) => /\.(?:[cm]?[jt]sx?|tpl|json)$/.test(path) && !path.startsWith(join(root, "dist", sep)),
    read: async () => (await makeProjectDocument(root, options)).document,
  }
}

/** Returns a source that reads a document from a JSON or YAML file. */
export function createFileSource(cwd: string, file: string): DocumentSource {
  const path = resolve(cwd, file)
  return {
    directory: dirname(path),
    isRecursive: false,
    dependsOn: (changedPath) => basename(changedPath) === basename(path),
    read: () => readDocument(path, file),
  }
}
