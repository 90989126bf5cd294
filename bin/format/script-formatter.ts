/** Formats the TypeScript of `.tpl` files with the project's formatter: Biome or Prettier. */

import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { runProgram } from "../tools/program.ts"
import { readBiomeSettings } from "./biome-settings.ts"
import type { FormatterSettings } from "./line-style.ts"

/** TypeScript from a `.tpl` file. */
export interface Script {
  readonly file: string
  readonly text: string
}

/** The formatter of a project. */
export interface ScriptFormatter {
  readonly name: "biome" | "prettier"
  /** Returns the settings for a file. */
  readSettings(file: string): Promise<FormatterSettings>
  /** Formats several texts in one call. The result for a text with errors is undefined. */
  format(scripts: readonly Script[], signal: AbortSignal): Promise<readonly (string | undefined)[]>
}

/** Finds the formatter that a project has installed; undefined if there is none. */
export async function findFormatter(root: string): Promise<ScriptFormatter | undefined> {
  for (const name of ["biome.json", "biome.jsonc"]) {
    const text = await readFile(join(root, name), "utf8").catch(() => undefined)
    const requireFromProject = createRequire(join(root, "package.json"))
    const entry = text === undefined ? undefined : tryResolve(requireFromProject, "@biomejs/biome/bin/biome")
    if (text !== undefined && entry) return new BiomeFormatter(root, entry, await readBiomeSettings(join(root, name)))
  }
  const prettier = tryResolve(createRequire(join(root, "package.json")), "prettier")
  return prettier && existsSync(join(root, "node_modules", "prettier"))
    ? new PrettierFormatter(root, prettier)
    : undefined
}

function tryResolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

/** A line between two scripts that no formatter moves. */
const toSeparator = (at: number) => `declare const $fwScript${at}: never`

class BiomeFormatter implements ScriptFormatter {
  readonly name = "biome"
  readonly #root: string
  readonly #entry: string
  readonly #settings: FormatterSettings

  constructor(root: string, entry: string, settings: FormatterSettings) {
    this.#root = root
    this.#entry = entry
    this.#settings = settings
  }

  async readSettings(): Promise<FormatterSettings> {
    return this.#settings
  }

  async format(scripts: readonly Script[], signal: AbortSignal): Promise<readonly (string | undefined)[]> {
    if (scripts.length === 0) return []
    const all = scripts.map(({ text }, at) => `${toSeparator(at)}\n\n${text}\n`).join("\n")
    const output = await this.#runBiome({ file: scripts[0]?.file ?? "", text: all }, signal)
    const parts = output?.split(/^declare const \$fwScript\d+: never;?\n?/m).slice(1)
    if (parts?.length === scripts.length) return parts.map((part) => part.replace(/^\n+/, ""))
    // If one script has an error, Biome refuses all of them, so each is tried separately.
    const results: (string | undefined)[] = []
    for (const script of scripts) results.push(scripts.length > 1 ? await this.#runBiome(script, signal) : undefined)
    return results
  }

  async #runBiome({ file, text }: Script, signal: AbortSignal): Promise<string | undefined> {
    const name = join(dirname(file), "fw-format.ts")
    const args = [this.#entry, "format", `--stdin-file-path=${name}`]
    const command = { program: process.execPath, args, cwd: this.#root, signal, name: "biome" }
    const result = await runProgram({ ...command, stdin: { text } }).catch((error: unknown) => {
      signal.throwIfAborted()
      if ((error as { code?: unknown }).code === "program_failed") return undefined
      throw error
    })
    return result?.stdout
  }
}

interface PrettierModule {
  format(text: string, options: object): string | Promise<string>
  resolveConfig(file: string, options: object): Promise<Record<string, unknown> | null>
}

class PrettierFormatter implements ScriptFormatter {
  readonly name = "prettier"
  readonly #root: string
  readonly #path: string
  #module: Promise<PrettierModule> | undefined

  constructor(root: string, path: string) {
    this.#root = root
    this.#path = path
  }

  #load(): Promise<PrettierModule> {
    this.#module ??= import(pathToFileURL(this.#path).href).then(
      (module: Partial<PrettierModule> & { default?: PrettierModule }) => module.default ?? (module as PrettierModule),
    )
    return this.#module
  }

  async #readOptions(file: string): Promise<Record<string, unknown>> {
    const prettier = await this.#load()
    return (await prettier.resolveConfig(join(this.#root, `${file}.ts`), { editorconfig: true })) ?? {}
  }

  async readSettings(file: string): Promise<FormatterSettings> {
    const { tabWidth, useTabs, printWidth } = await this.#readOptions(file)
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
        const options = { ...(await this.#readOptions(file)), filepath: `${file}.ts`, parser: "typescript" }
        return Promise.resolve()
          .then(() => prettier.format(text, options))
          .catch(() => undefined)
      }),
    )
  }
}
