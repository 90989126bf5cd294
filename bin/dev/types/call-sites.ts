/** Finds the validator for a call in a running program, by the position of the call in the stack. */
import type { StandardSchema } from "../../../lib/request/schema.ts"
import { projectFault } from "../../messages/project.ts"
import { type CallSite, findSite } from "../../validators/call-sites.ts"
import type { ProgramSources, SourcePlace } from "../bundle/program-sources.ts"
import { findCallerFrame, type GeneratedPlace } from "../problems/caller-frame.ts"
import type { CallAnswer } from "../server/messages.ts"

type Validators = Readonly<Record<string, StandardSchema>>

/** The known calls of a file. */
interface KnownCalls {
  readonly version: number
  readonly sites: readonly CallSite[]
  readonly validators: Validators
}

/** Matches a module with types, as source maps name it. */
const typedFile = /\.(?:[cm]?ts|tsx|tpl)$/

/** The calls in the running program, and their validators. */
export class CallSites {
  sources: ProgramSources | undefined
  readonly #askForCalls: (file: string, known: number) => Promise<CallAnswer>
  /** The known calls by file. */
  readonly #knownCalls = new Map<string, KnownCalls>()

  /**
   * Creates the list of calls. It is empty at first.
   *
   * @param ask asks the parent for the validators of a file. The parent sends them only if it has a newer version.
   */
  constructor(ask: (file: string, known: number) => Promise<CallAnswer>) {
    this.#askForCalls = ask
  }

  /**
   * Returns the validator of the current call. Returns undefined if the call is not checked; a warning has told the
   * developer so.
   *
   * @throws FwError `validators` if the type of the call cannot be read.
   */
  find(call: string): Promise<StandardSchema | undefined> {
    const { stack, frame } = findCaller()
    const location = frame && this.sources?.findPlace(frame)
    const found = frame ? this.#findValidator(call, location) : Promise.resolve(undefined)
    return found.catch((error: unknown) => {
      // The stack of the call contains the position to report.
      if (error instanceof Error) error.stack = `${error.name}: ${error.message}\n${stack}`
      throw error
    })
  }

  /**
   * Returns the validator for the payload of a job file; undefined if it is not checked.
   *
   * @throws FwError `validators` if the type cannot be read.
   */
  async findPayload(file: string): Promise<StandardSchema | undefined> {
    if (!typedFile.test(file)) return undefined
    const { sites, validators } = await this.#readCalls(file)
    const site = sites.find(({ isPayload }) => isPayload)
    return site && getValidator(site, validators)
  }

  async #findValidator(call: string, place: SourcePlace | undefined): Promise<StandardSchema | undefined> {
    // Only TypeScript can name the type against which a call validates its input.
    if (!place || !typedFile.test(place.file)) return undefined
    const { sites, validators } = await this.#readCalls(place.file)
    const at = { line: place.line ?? 1, column: (place.column ?? 1) - 1 }
    const site = findSite(sites, at)
    if (!site)
      throw projectFault("validators.missed", [place.file, call.slice(2, -2)], {
        at: { file: place.file, line: at.line },
      })
    return getValidator(site, validators)
  }

  async #readCalls(file: string): Promise<KnownCalls> {
    const known = this.#knownCalls.get(file)
    const { version, facts } = await this.#askForCalls(file, known?.version ?? -1)
    if (known?.version === version) return known
    if (!facts) throw projectFault("validators.untyped", ["there is no answer", "Send the request again."])
    if ("untyped" in facts) throw projectFault("validators.untyped", [facts.untyped, facts.fix])
    const url = `data:text/javascript;base64,${Buffer.from(facts.code).toString("base64")}`
    const newCalls = { version, sites: facts.sites, validators: (await import(url)) as Validators }
    this.#knownCalls.set(file, newCalls)
    return newCalls
  }
}

/**
 * Returns the validator of a call.
 *
 * @throws FwError `validators` if the call promises a check that cannot be made.
 */
function getValidator({ error, validator }: CallSite, validators: Validators): StandardSchema | undefined {
  if (error) {
    const { message, fix, file, line, column } = error
    throw projectFault("validators", [message, fix], { at: { file, line, ...(column && { column }) } })
  }
  return validator === null ? undefined : validators[validator]
}

/** Returns the stack of the current call, and the frame that called the context's method. */
function findCaller(): { readonly stack: string; readonly frame: GeneratedPlace | undefined } {
  const stack = new Error().stack?.split("\n").slice(1).join("\n") ?? ""
  return { stack, frame: findCallerFrame() }
}
