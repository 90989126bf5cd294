/** The spec of `fw editor`. */
import { defineSpec } from "../cli/spec.ts"

export const editor = defineSpec({
  anywhere: true,
  summary: "Install the extension for templates in Visual Studio Code",
  description:
    "Gives the extension, which comes with this package, to the program of the editor. Repeat this after an upgrade of fw.",
  arguments: [{ name: "editor", description: "Program of the editor", values: ["code", "codium", "cursor"] }],
  examples: ["fw editor code"],
})
