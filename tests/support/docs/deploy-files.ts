/** The files in docs/operations/deploy.md. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../tsc.ts"
import { fileNamed } from "./guides/steps.ts"

const page = readFileSync(join(root, "docs/operations/deploy.md"), "utf8")

/** Each file by its name, as the page shows it. */
export const deployFiles: ReadonlyMap<string, string> = new Map(
  [...page.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].flatMap(([, text = ""]) => {
    const name = fileNamed(text)
    return name === undefined ? [] : [[name.replace(/^.*\//, ""), text] as const]
  }),
)

/** Returns a file with replaced texts. @throws if the file does not contain one of them. */
export function deployFile(name: string, changes: Readonly<Record<string, string>>): string {
  let text = deployFiles.get(name) ?? ""
  for (const [part, instead] of Object.entries(changes)) {
    if (!text.includes(part)) throw new Error(`${name} does not contain ${part}`)
    text = text.replaceAll(part, instead)
  }
  return text
}
