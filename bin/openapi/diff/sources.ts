/** Reads the documents to compare: files, git revisions, and the current project. */
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { Io } from "../../cli/terminal.ts"
import { toolFault } from "../../messages/tools.ts"
import { compileTemplates } from "../../project/templates.ts"
import { withWorkDirectory } from "../../system/whole-directory.ts"
import { checkOut, findCommit, readFileAt } from "../../tools/git-revisions.ts"
import { makeProjectDocument } from "../openapi.ts"
import { parseDocument, readDocument } from "../read-document.ts"

/** A document with its origin. */
export interface NamedDocument {
  readonly document: object
  /** The name of the file or revision, or `the project`. */
  readonly name: string
}

/** The project, and what git and the type reader need. */
export interface SourceOptions extends Pick<Io, "cwd" | "env" | "signal"> {
  readonly appDir: string
}

/**
 * Returns the document for a name: a file, a git revision whose project is read, or a file in a revision
 * (`main:openapi.json`). Without a name, reads the current project. A revision is read with the packages that are
 * installed now.
 *
 * @throws FwError `spec` for any other name. For a project, the errors of `fw routes`.
 */
export async function readNamedDocument(name: string | undefined, options: SourceOptions): Promise<NamedDocument> {
  const { cwd, appDir, signal } = options
  if (name === undefined) {
    return readTypedDocument(cwd, "the project", { appDir, signal })
  }
  const path = resolve(cwd, name)
  if ((await stat(path).catch(() => null))?.isFile()) return { document: await readDocument(path, name), name }
  const [, revision, file] = /^([^:]+):(.+)$/.exec(name) ?? []
  const text = revision && file ? await readFileAt(cwd, revision, file, options) : null
  if (text !== null) return { document: await parseDocument(text, name), name }
  const commit = await findCommit(cwd, name, options)
  if (commit === null) throw toolFault("spec.revision", [name])
  // The directory is inside the project, so that its node_modules are found.
  return withWorkDirectory(cwd, async (directory) => {
    const root = await checkOut(cwd, commit, directory.path, options)
    await compileTemplates(root)
    return readTypedDocument(root, name, options)
  })
}

/**
 * Reads a project.
 *
 * @throws FwError if the types cannot be read, because changes of types would be missed.
 */
async function readTypedDocument(
  root: string,
  name: string,
  { appDir, signal }: Pick<SourceOptions, "appDir" | "signal">,
): Promise<NamedDocument> {
  const { document, isTyped, warnings } = await makeProjectDocument(root, { appDir, signal })
  const [reason] = warnings
  if (!isTyped && reason) throw toolFault("spec.untyped", [name, reason.message, reason.fix])
  return { document, name }
}
