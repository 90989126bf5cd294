import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root } from "./tsc.ts"

/**
 * Makes a directory inside the checkout, where programs find its packages, and `fw` is the package itself. Git ignores
 * the directory, and it is removed when the process ends.
 */
export function makeCheckoutDirectory(name: string): string {
  mkdirSync(join(root, ".fw"), { recursive: true })
  const directory = mkdtempSync(join(root, ".fw", `${name}-`))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
