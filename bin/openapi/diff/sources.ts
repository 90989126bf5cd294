/** The documents that are compared: files, git revisions, and the project as it is. */
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
  /** The file or revision, or `the project`. */
  readonly name: string
}

/** The project, and the world of the command. */
export interface SourceOptions extends Pick<Io, "cwd" | "env" | "signal"> {
  readonly appDir: string
}

/**
 * Returns the document with a name: a file, a revision of git, whose project is read, or a file of a revision
 * (`main:openapi.json`). Without a name, that of the project as it is. A revision is read with the packages that are
 * installed now.
 *
 * @throws FwError `spec` for any other name; for a project, as `fw routes` does.
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
  // Below the project, so that its node_modules are found.
  return withWorkDirectory(cwd, async (directory) => {
    const root = await checkOut(cwd, commit, directory.path, options)
    await compileTemplates(root)
    return readTypedDocument(root, name, options)
  })
}

/** Reads a project. Without its types, changes of them would not be found, so this is an error. */
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
