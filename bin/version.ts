/** The version of fw. Asked for by `--version` and by what writes fw into a project. */
import { readFileSync } from "node:fs"

/** Out of the package.json that this file was installed with. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  return (JSON.parse(text) as { version: string }).version
}
