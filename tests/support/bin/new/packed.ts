/** Installs the packed package in an empty folder under the oldest supported Node, as a new user does. */
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs"
import { basename, delimiter, join } from "node:path"
import { type ProjectTemplate, readScaffoldFiles, renderPackageJSON } from "../../../../bin/new/scaffold.ts"
import { readOwnManifest } from "../../../../bin/project/own-package.ts"
import {
  type ProgramEnd,
  type ProgramOptions,
  type RunningProgram,
  runProgram,
  startProgram,
} from "../../../../bin/tools/program.ts"
import { sharedFolder } from "../../shared.ts"
import { installTools } from "../../tools.ts"
import { root } from "../../tsc.ts"
import { project } from "../cli/command.ts"

/** The report of `npm pack`. */
export interface Packed {
  readonly filename: string
  /** The size in bytes. */
  readonly size: number
  readonly files: ReadonlyArray<{ readonly path: string }>
}

/** Packs this checkout into a folder. The build is not repeated, because other tests use it at the same time. */
export async function pack(folder: string): Promise<Packed> {
  const shared = await sharedFolder("packed", async (work) => {
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", work]
    const { stdout } = await runProgram({ program: "npm", args, cwd: root })
    writeFileSync(join(work, "report.json"), stdout)
  })
  const [packed] = JSON.parse(readFileSync(join(shared, "report.json"), "utf8")) as [Packed]
  copyFileSync(join(shared, packed.filename), join(folder, packed.filename))
  return packed
}

/** Returns a folder in which npm has installed only the tarball. */
function installed(env: NewUser["env"]): Promise<string> {
  return sharedFolder("installed", async (work) => {
    writeFileSync(join(work, "package.json"), '{"name":"empty","private":true,"type":"module"}\n')
    const { filename } = await pack(work)
    const args = ["install", "--ignore-scripts=false", `./${filename}`]
    await runProgram({ program: "npm", args, cwd: work, env })
  })
}

/** Adds the package to the packages in a folder, as npm would install its tarball. */
export async function addInstalled(folder: string): Promise<void> {
  const from = await installed(process.env)
  for (const path of ["node_modules/fw", "node_modules/.bin/fw"])
    cpSync(join(from, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
}

/** The oldest Node that fw supports, as package.json says. */
const oldest = (
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } }
).engines.node.replace(/^>=/, "")

/** Returns the directory of the program of the oldest supported Node. */
export function oldestNode(): Promise<string> {
  return installNode(`${oldest}.0`)
}

/** Returns the directory of a Node's program, by its version (`24` or `20.19.0`: this version or a later patch). */
export async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  return join(await installTools([`${name}@~${version}`]), name, "bin")
}

/** A folder in which only fw is installed. */
export interface NewUser {
  readonly folder: string
  readonly packed: Packed
  readonly env: Readonly<Record<string, string | undefined>>
  /** Runs a program to its end, by default in the folder. @throws FwError if it fails. */
  run(line: readonly [string, ...string[]], more?: Partial<ProgramOptions>): Promise<ProgramEnd>
  /** Starts a program. */
  start(line: readonly [string, ...string[]], more?: Partial<ProgramOptions>): RunningProgram
}

/** Creates a folder with only the installed tarball. Its owner has a name for git, and no other settings. */
export async function newUser(): Promise<NewUser> {
  const folder = project({
    "home/.gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.com\n",
  })
  const work = join(folder, "work")
  const env = {
    ...process.env,
    PATH: [await oldestNode(), process.env.PATH].join(delimiter),
    GIT_CONFIG_GLOBAL: join(folder, "home/.gitconfig"),
    npm_config_loglevel: "error",
    NODE_V8_COVERAGE: undefined,
    NODE_OPTIONS: undefined,
    FORCE_COLOR: undefined,
    PORT: undefined,
  }
  cpSync(await installed(env), work, { recursive: true, verbatimSymlinks: true })
  const packed = await pack(work)
  const order = ([program, ...args]: readonly [string, ...string[]], more: Partial<ProgramOptions> = {}) => ({
    program,
    args,
    cwd: work,
    env,
    ...more,
  })
  return {
    folder: work,
    packed,
    env,
    run: (line, more) => runProgram(order(line, more)),
    start: (line, more) => startProgram(order(line, more)),
  }
}

/**
 * Returns a project that `npx fw new` created with the first answer to every question, with its packages and its
 * commit.
 */
function createdProject(template: ProjectTemplate): Promise<string> {
  return sharedFolder(`new-${template}`, async (work) => {
    const user = await newUser()
    const flags = ["--skip-prompts", ...(template === "api" ? ["--api-only"] : [])]
    await user.run(["npx", "fw", "new", "made", ...flags])
    cpSync(join(user.folder, "made"), work, { recursive: true, verbatimSymlinks: true })
  })
}

/**
 * Creates a project as `npx fw new` does, at a path whose last part is its name. It copies a project that the
 * command created, and replaces the name.
 */
export async function copyNewProject(path: string, template: ProjectTemplate = "full-stack"): Promise<void> {
  cpSync(await createdProject(template), path, { recursive: true, verbatimSymlinks: true })
  const { devDependencies: versions } = await readOwnManifest()
  const options = { name: basename(path), template, versions }
  const { dependencies } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
  for (const { file, content } of await readScaffoldFiles(options)) writeFileSync(join(path, file), content)
  writeFileSync(join(path, "package.json"), renderPackageJSON(options, dependencies.fw))
}

/** Starts a server, and waits until it prints where it listens. The pattern has the port in its first group. */
export async function listening(
  start: (onLine: (line: string) => void) => RunningProgram,
  pattern: RegExp,
): Promise<{ readonly port: number; readonly program: RunningProgram; output(): string }> {
  let text = ""
  let tell = (_: number) => {}
  const told = new Promise<number>((resolve) => {
    tell = resolve
  })
  const program = start((line) => {
    text += `${line}\n`
    const found = pattern.exec(line)
    if (found) tell(Number(found[1]))
  })
  const port = await Promise.race([
    told,
    program.ended.then(({ output }) => Promise.reject(new Error(`it ended without listening:\n${output}`))),
  ])
  return { port, program, output: () => text }
}

/** Runs a server while a function uses it, and then stops it. @returns its output. */
export async function serving(
  start: (onLine: (line: string) => void) => RunningProgram,
  pattern: RegExp,
  use: (port: number) => Promise<void>,
): Promise<string> {
  const { port, program, output } = await listening(start, pattern)
  try {
    await use(port)
  } finally {
    await program.stop()
  }
  return output()
}
