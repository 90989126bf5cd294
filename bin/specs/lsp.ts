/** The spec of `fw lsp`. */
import { spec } from "../cli/spec.ts"
import { appDir } from "./flags.ts"

/** `fw lsp` */
export const lsp = spec({
  summary: "Serve templates and TypeScript to an editor, over LSP on stdio",
  description:
    "The editor starts this command, for .tpl and .ts files. It needs the project's own TypeScript, version 7 or later. " +
    "Standard output carries only protocol messages.",
  flags: {
    "app-dir": appDir,
    stdio: { type: "boolean", description: "Use standard input and output, which is the only way" },
  },
  ownsStdout: true,
})
