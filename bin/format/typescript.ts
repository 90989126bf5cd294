/** Formats the TypeScript of `.tpl` files with the formatter of the project: Biome, or Prettier. */

import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { runProgram } from "../tools/program.ts"
import { biomeSettings } from "./biome-settings.ts"
import type { Settings } from "./config.ts"

/** A text of TypeScript, and the `.tpl` file that it is from. */
export interface Script {
  readonly file: string
  readonly text: string
}

/** The formatter of a project. */
export interface ScriptFormatter {
  readonly name: "biome" | "prettier"
  /** Returns its settings for a file. */
  settings(file: string): Promise<Settings>
  /** Formats texts, all in one call. Undefined for one that it cannot read. */
  format(scripts: readonly Script[], signal: AbortSignal): Promise<readonly (string | undefined)[]>
}

/** Finds the formatter that is installed in a project; undefined if there is none. */
export async function findFormatter(root: string): Promise<ScriptFormatter | undefined> {
  for (const name of ["biome.json", "biome.jsonc"]) {
    const text = await readFile(join(root, name), "utf8").catch(() => undefined)
    const program = createRequire(join(root, "package.json"))
    const entry = text === undefined ? undefined : resolved(program, "@biomejs/biome/bin/biome")
    if (text !== undefined && entry) return new Biome(root, entry, await biomeSettings(join(root, name)))
  }
  const prettier = resolved(createRequire(join(root, "package.json")), "prettier")
  return prettier && existsSync(join(root, "node_modules", "prettier"))
    ? new PrettierScripts(root, prettier)
    : undefined
}

function resolved(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

/** A line between two scripts that every formatter leaves where it is. */
const border = (at: number) => `declare const $fwScript${at}: never`

class Biome implements ScriptFormatter {
  readonly name = "biome"
  readonly #root: string
  readonly #entry: string
  readonly #settings: Settings

  constructor(root: string, entry: string, settings: Settings) {
    this.#root = root
    this.#entry = entry
    this.#settings = settings
  }

  async settings(): Promise<Settings> {
    return this.#settings
  }

  async format(scripts: readonly Script[], signal: AbortSignal): Promise<readonly (string | undefined)[]> {
    if (scripts.length === 0) return []
    const all = scripts.map(({ text }, at) => `${border(at)}\n\n${text}\n`).join("\n")
    const whole = await this.#run({ file: scripts[0]?.file ?? "", text: all }, signal)
    const parts = whole?.split(/^declare const \$fwScript\d+: never;?\n?/m).slice(1)
    if (parts?.length === scripts.length) return parts.map((part) => part.replace(/^\n+/, ""))
    // Biome refuses all of it if one of them has an error.
    const results: (string | undefined)[] = []
    for (const script of scripts)
      results.push(scripts.length > 1 ? await this.#run(script, signal) : undefined)
    return results
  }

  async #run({ file, text }: Script, signal: AbortSignal): Promise<string | undefined> {
    const name = join(dirname(file), "fw-format.ts")
    const args = [this.#entry, "format", `--stdin-file-path=${name}`]
    const order = { program: process.execPath, args, cwd: this.#root, signal, name: "biome" }
    const ended = await runProgram({ ...order, stdin: { text } }).catch((error: unknown) => {
      signal.throwIfAborted()
      if ((error as { code?: unknown }).code === "program_failed") return undefined
      throw error
    })
    return ended?.stdout
  }
}

interface Prettier {
  format(text: string, options: object): string | Promise<string>
  resolveConfig(file: string, options: object): Promise<Record<string, unknown> | null>
}

class PrettierScripts implements ScriptFormatter {
  readonly name = "prettier"
  readonly #root: string
  readonly #path: string
  #module: Promise<Prettier> | undefined

  constructor(root: string, path: string) {
    this.#root = root
    this.#path = path
  }

  #load(): Promise<Prettier> {
    this.#module ??= import(pathToFileURL(this.#path).href).then(
      (module: Partial<Prettier> & { default?: Prettier }) => module.default ?? (module as Prettier),
    )
    return this.#module
  }

  async #options(file: string): Promise<Record<string, unknown>> {
    const prettier = await this.#load()
    return (await prettier.resolveConfig(join(this.#root, `${file}.ts`), { editorconfig: true })) ?? {}
  }

  async settings(file: string): Promise<Settings> {
    const { tabWidth, useTabs, printWidth } = await this.#options(file)
    return {
      indentWidth: typeof tabWidth === "number" ? tabWidth : undefined,
      useTabs: typeof useTabs === "boolean" ? useTabs : undefined,
      lineWidth: typeof printWidth === "number" ? printWidth : undefined,
    }
  }

  async format(scripts: readonly Script[], signal: AbortSignal): Promise<readonly (string | undefined)[]> {
    const prettier = await this.#load()
    return Promise.all(
      scripts.map(async ({ file, text }) => {
        signal.throwIfAborted()
        const options = { ...(await this.#options(file)), filepath: `${file}.ts`, parser: "typescript" }
        return Promise.resolve()
          .then(() => prettier.format(text, options))
          .catch(() => undefined)
      }),
    )
  }
}
