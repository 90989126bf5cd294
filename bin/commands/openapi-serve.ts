/** `fw openapi serve`: shows the API in a browser. */

import { basename, dirname, join, resolve, sep } from "node:path"
import { formatWarning } from "../cli/failure.ts"
import type { OptionsOf } from "../cli/spec.ts"
import { createView, type Io, throwIfInterrupted, waitForStop } from "../cli/terminal.ts"
import { type DocumentSource, LiveDocument } from "../explorer/live-document.ts"
import { ExplorerServer } from "../explorer/server.ts"
import { makeProjectDocument, type OpenAPIFileOptions } from "../openapi/openapi.ts"
import { readDocument } from "../openapi/read-document.ts"
import type * as specs from "../specs/openapi.ts"

/**
 * Serves the explorer until the command is stopped.
 *
 * @throws FwError for a document that cannot be generated or read, and for a port that is not available.
 */
export async function run({ port, spec, ...options }: OptionsOf<typeof specs.serve>, io: Io): Promise<void> {
  const { cwd, env, signal } = io
  // The URL at which `fw dev` serves the application.
  const server = `http://localhost:${env.PORT || 3000}`
  const source =
    spec === undefined ? createProjectSource(cwd, { ...options, server, signal }) : createFileSource(cwd, spec)
  let explorer: ExplorerServer | undefined
  const liveDocument = new LiveDocument(
    source,
    (document) => {
      explorer?.show(document)
      if (document.problem) io.stderr.write(`${document.problem}\n`)
    },
    (error) => io.stderr.write(formatWarning(error, createView(io.stderr, env).style)),
  )
  try {
    explorer = new ExplorerServer(await liveDocument.open())
    await explorer.listen(port)
    io.stdout.write(formatBanner(explorer.port, io))
    await waitForStop(signal)
  } finally {
    await liveDocument.close()
    await explorer?.close()
  }
  throwIfInterrupted(signal)
}

function formatBanner(port: number, io: Io): string {
  const { style } = createView(io.stdout, io.env)
  const base = `http://localhost:${port}`
  return `\n  ${style.bold("Explorer:")}  ${style.cyan(`${base}/docs`)}\n  ${style.bold("Document:")}  ${style.cyan(`${base}/openapi.json`)}\n\n`
}

/** Returns a source that generates the document from a project. Any code file may change the document. */
function createProjectSource(root: string, options: OpenAPIFileOptions): DocumentSource {
  return {
    directory: root,
    isRecursive: true,
    dependsOn: (path) => /\.(?:[cm]?[jt]sx?|tpl|json)$/.test(path) && !path.startsWith(join(root, "dist", sep)),
    read: async () => (await makeProjectDocument(root, options)).document,
  }
}

/** Returns a source that reads a document from a JSON or YAML file. */
function createFileSource(cwd: string, file: string): DocumentSource {
  const path = resolve(cwd, file)
  return {
    directory: dirname(path),
    isRecursive: false,
    dependsOn: (changedPath) => basename(changedPath) === basename(path),
    read: () => readDocument(path, file),
  }
}
