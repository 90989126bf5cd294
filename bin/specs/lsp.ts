/** The spec of `fw lsp`. */
import { defineSpec } from "../cli/spec.ts"
import { appDirFlag } from "./flags.ts"

export const lsp = defineSpec({
  summary: "Serve templates and TypeScript to an editor, over LSP on stdio",
  description:
    "The editor starts this command, for .tpl and .ts files. It needs the project's own TypeScript, version 7 or later. " +
    "Standard output carries only protocol messages.",
  flags: {
    "app-dir": appDirFlag,
    stdio: { type: "boolean", description: "Use standard input and output, which is the only way" },
  },
  ownsStdout: true,
})
