/** Finds the validator of a call in a program that runs, by the stack of the call. */
import type { StandardSchema } from "../../lib/request/schema.ts"
import { projectFault } from "../messages/project.ts"
import { type CallSite, siteAt } from "../validators/sites.ts"
import { callerFrame, type GeneratedPlace } from "./caller-frame.ts"
import type { CallAnswer } from "./messages.ts"
import type { RanSources, SourcePlace } from "./ran.ts"

type Validators = Readonly<Record<string, StandardSchema>>

/** The calls of a file. */
interface KnownCalls {
  readonly version: number
  readonly sites: readonly CallSite[]
  readonly validators: Validators
}

/** A module of the project with types, as source maps name it. */
const typed = /\.(?:[cm]?ts|tsx|tpl)$/

/** The calls of the running program. */
export class CallSites {
  sources: RanSources | undefined
  readonly #ask: (file: string, known: number) => Promise<CallAnswer>
  /** By file. */
  readonly #known = new Map<string, KnownCalls>()

  /** Creates it. @param ask asks the parent for the validators of a file, unless it has no newer ones. */
  constructor(ask: (file: string, known: number) => Promise<CallAnswer>) {
    this.#ask = ask
  }

  /**
   * Returns the validator of the call that runs; undefined if the call is not checked, which was a warning.
   *
   * @throws FwError `validators` if its type cannot be read.
   */
  find(call: string): Promise<StandardSchema | undefined> {
    const { stack, frame } = callerOf()
    const place = frame && this.sources?.placeAt(frame)
    const found = frame ? this.#validator(call, place) : Promise.resolve(undefined)
    return found.catch((error: unknown) => {
      // The stack of the call has the place for the report.
      if (error instanceof Error) error.stack = `${error.name}: ${error.message}\n${stack}`
      throw error
    })
  }

  async #validator(call: string, place: SourcePlace | undefined): Promise<StandardSchema | undefined> {
    // Packages and JavaScript have no types that promise anything.
    if (!place || !typed.test(place.file)) return undefined
    const { sites, validators } = await this.#current(place.file)
    const at = { line: place.line ?? 1, column: (place.column ?? 1) - 1 }
    const site = siteAt(sites, at)
    if (!site)
      throw projectFault("validators.missed", [place.file, call.slice(2, -2)], {
        at: { file: place.file, line: at.line },
      })
    if (site.error) {
      const { message, fix, file, line, column } = site.error
      throw projectFault("validators", [message, fix], { at: { file, line, ...(column && { column }) } })
    }
    return site.validator === null ? undefined : validators[site.validator]
  }

  async #current(file: string): Promise<KnownCalls> {
    const known = this.#known.get(file)
    const { version, facts } = await this.#ask(file, known?.version ?? -1)
    if (known?.version === version) return known
    if (!facts) throw projectFault("validators.untyped", ["there is no answer", "Send the request again."])
    if ("untyped" in facts) throw projectFault("validators.untyped", [facts.untyped, facts.fix])
    const url = `data:text/javascript;base64,${Buffer.from(facts.code).toString("base64")}`
    const fresh = { version, sites: facts.sites, validators: (await import(url)) as Validators }
    this.#known.set(file, fresh)
    return fresh
  }
}

/** Returns the stack of the running call of a context's method, and the frame of the code that called it. */
function callerOf(): { readonly stack: string; readonly frame: GeneratedPlace | undefined } {
  const stack = new Error().stack?.split("\n").slice(1).join("\n") ?? ""
  return { stack, frame: callerFrame() }
}
