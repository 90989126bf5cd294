/** The recipe for JSX in docs/reference/routing.md, as a project. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../tsc.ts"

const page = readFileSync(join(root, "docs/reference/routing.md"), "utf8")
/** The files of the recipe. */
export const files: Readonly<Record<string, string>> = Object.fromEntries(
  [...page.matchAll(/^```tsx\n(\/\/ (\S+)\n[\s\S]*?)^```$/gm)].map(([, code = "", file = ""]) => [file, code]),
)
/** The `tsconfig.json` of the recipe. */
export const [, config = ""] = /^```json\n(\{ "compilerOptions": .*"jsx".*)\n```$/m.exec(page) ?? []

const options = {
  strict: true,
  noEmit: true,
  module: "nodenext",
  types: [],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}
/** The same configuration with the options of a strict project. */
export const typed = JSON.stringify({
  compilerOptions: { ...options, ...JSON.parse(config || "{}").compilerOptions },
  include: ["app", ".fw"],
})
/** The packages of a project with JSX. */
export const packages = ["fw", "esbuild", "hono", "typescript", "@typescript"]
