/** Makes directories inside the checkout, for programs that import packages. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../", import.meta.url))

/** Makes a new directory in which the packages of the checkout are found. It is removed when the process ends. */
export function makeCheckoutDirectory(name: string): string {
  const cache = join(root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(join(cache, `${name}-`))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
