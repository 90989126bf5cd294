/** Makes the document of the project in its working directory on request. */
import { join } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { documentFiles } from "../openapi/embed.ts"
import { projectDocument } from "../openapi/openapi.ts"
import { keepTypes } from "../project/kept-program.ts"
import { writeIfChanged } from "../system/whole-file.ts"

/** The response to one order, or to several that arrived meanwhile. */
export interface DocumentReport {
  /** Reasons why types were not read. */
  readonly problems: ReadonlyArray<{ readonly message: string; readonly fix: string }>
}

const root = process.cwd()
const release = keepTypes()
/** Orders that arrived while a document was made: one more document answers them all. */
const waiting: { readonly appDir: string }[] = []
let isWorking = false

async function work(): Promise<void> {
  if (isWorking) return
  isWorking = true
  for (let orders = waiting.splice(0); orders.length > 0; orders = waiting.splice(0)) {
    const { appDir } = orders.at(-1) as { appDir: string }
    const report = await make(appDir)
    for (const _ of orders) if (process.connected) process.send?.(report)
  }
  isWorking = false
}

async function make(appDir: string): Promise<DocumentReport> {
  try {
    const { document, typed, warnings } = await projectDocument(root, { appDir })
    await writeIfChanged({ root, path: join(root, documentFiles.json) }, `${JSON.stringify(document)}\n`)
    return { problems: typed ? [] : warnings.slice(0, 1).map(({ message, fix }) => ({ message, fix })) }
  } catch (error) {
    // The same problem stops the build of the program, which reports it.
    if (error instanceof FwError) return { problems: [] }
    throw error
  }
}

process.on("message", (order: { appDir: string }) => {
  waiting.push(order)
  void work()
})
process.once("disconnect", () => void release())
// Ctrl-C reaches every process of a terminal; the parent decides when to stop.
process.on("SIGINT", () => {})
