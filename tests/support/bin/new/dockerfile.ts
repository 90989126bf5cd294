/**
 * Reads a Dockerfile, and carries out its instructions without Docker: the commands of a stage in a folder, and the
 * files of the last stage in another one.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join, posix } from "node:path"

/** An instruction, such as `RUN` and `npm ci`. */
export type Instruction = readonly [name: string, rest: string]

/** The image that the last stage of a Dockerfile describes. */
export interface FinalPart {
  readonly env: Readonly<Record<string, string>>
  readonly directory: string
  readonly user: number
  readonly entrypoint: readonly [string, ...string[]]
}

/** Returns the instructions of each stage, without comments. */
export function readParts(text: string): readonly Instruction[][] {
  const parts: Instruction[][] = []
  for (const line of text.replace(/\\\n/g, "").split("\n")) {
    if (line === "" || line.startsWith("#")) continue
    const [, name, rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === undefined) throw new Error(`not an instruction: ${line}`)
    if (name === "FROM") parts.push([])
    parts.at(-1)?.push([name, rest])
  }
  return parts
}

/** Returns the arguments of the instructions with a name. */
export function named(part: readonly Instruction[], name: string): string[] {
  return part.flatMap(([one, rest]) => (one === name ? [rest] : []))
}

/**
 * Removes the files that a `.dockerignore` names: names at the top, with `*`, and names at any depth after `**`.
 */
export function leaveOut(folder: string, ignored: string): void {
  for (const pattern of ignored.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
    const [, everywhere, name = ""] = /^(\*\*\/)?(.*)$/.exec(pattern) ?? []
    const form = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`)
    for (const path of readdirSync(folder, { recursive: everywhere !== undefined }) as string[])
      if (form.test(everywhere ? posix.basename(path) : path))
        rmSync(join(folder, path), { recursive: true, force: true })
    if (name.includes("/")) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/**
 * Copies the files of the last stage from those of the stage before into an empty folder.
 *
 * @param source the folder that replaces the working directory of the stage before.
 * @throws Error for an instruction that this function does not support.
 */
export function fillImage([before = [], part = []]: readonly Instruction[][], source: string, root: string): FinalPart {
  const [workplace = ""] = named(before, "WORKDIR")
  const found = {
    env: {} as Record<string, string>,
    directory: "/",
    user: 0,
    entrypoint: [""] as [string, ...string[]],
  }
  for (const [name, rest] of part) {
    if (name === "COPY") copy(rest, { workplace, source, root })
    else if (name === "ENV") Object.assign(found.env, Object.fromEntries([rest.split("=")]))
    else if (name === "WORKDIR") found.directory = rest
    else if (name === "USER") found.user = Number(rest.split(":")[0])
    else if (name === "ENTRYPOINT") found.entrypoint = JSON.parse(rest)
    else if (!["EXPOSE", "STOPSIGNAL"].includes(name) && `${name} ${rest}` !== "FROM scratch")
      throw new Error(`${name} ${rest} is not known here`)
  }
  return found
}

/** Copies a directory's content as `COPY --from` does. */
function copy(
  rest: string,
  { workplace, source, root }: { readonly workplace: string; readonly source: string; readonly root: string },
): void {
  const words = rest.split(" ")
  const owner = words.find((word) => word.startsWith("--chown="))?.slice("--chown=".length)
  const [from = "", to = ""] = words.filter((word) => !word.startsWith("--"))
  if (!from.startsWith(`${workplace}/`)) throw new Error(`COPY of ${from}, which is not in ${workplace}`)
  const inner = join(source, from.slice(workplace.length))
  const target = join(root, to)
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(inner)) {
    // Linked files need no space on the disk. Files with another owner are copied.
    execFileSync("cp", [owner === undefined ? "-al" : "-a", join(inner, name), target])
    if (owner !== undefined && process.getuid?.() === 0) execFileSync("chown", ["-R", owner, join(target, name)])
  }
}
