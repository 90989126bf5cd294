/** The child process that imports schemas, writes their JSON Schemas into a file, and exits. */
import { pathToFileURL } from "node:url"
import { replaceFile } from "../system/whole-file.ts"

/** The part of Standard JSON Schema that is used (standardschema.dev/json-schema). */
interface WithJSONSchema {
  readonly "~standard"?: {
    readonly jsonSchema?: {
      readonly input?: (options: { target: string; libraryOptions: object }) => unknown
    }
  }
}

const [bundleFile = "", resultFile = ""] = process.argv.slice(2)
const { default: entries } = (await import(pathToFileURL(bundleFile).href)) as {
  default: readonly (readonly [string, () => WithJSONSchema])[]
}
const results = entries.map(([id, get]) => {
  try {
    const input = get()["~standard"]?.jsonSchema?.input
    if (!input) return [id, { none: "its library provides none" }]
    // With this option, zod does not throw for types that JSON Schema cannot express.
    return [id, { schema: input({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } }) }]
  } catch (error) {
    return [id, { error: error instanceof Error ? error.message : String(error) }]
  }
})
await replaceFile({ root: null, path: resultFile }, JSON.stringify(Object.fromEntries(results)))
// Modules may have left timers or connections open, which would keep the process alive.
process.exit(0)
