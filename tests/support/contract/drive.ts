/**
 * Runs contract cases on one runtime, and compares the responses with the expected ones and with `app.fetch` on
 * this Node.
 */
import { readdirSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../tsc.ts"
import { allCases, socketCases } from "./all.ts"
import type { Case } from "./case.ts"
import { type Difference, differences } from "./differences.ts"
import { check, play, same, viaFetch } from "./runner.ts"
import { runSocketCase } from "./socket-runner.ts"
import type { Seen, Server } from "./wire.ts"

/** A runtime that serves the cases. */
export interface Served {
  /** Returns the server of a case, by its index in the list. */
  server(index: number): Server
  stop(): Promise<unknown>
}

const formatTitle = ({ subject, name }: Case) => `${subject}: ${name}`

/** Deno reads times in milliseconds, so the exact file times of a clone would give another ETag there. */
function setTimes(): void {
  const directory = join(root, "tests", "fixtures", "contract")
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    utimesSync(join(directory, name), 1_700_000_000, 1_700_000_000)
  }
}

/** Returns the listed difference of a case, and the response that is expected instead. */
function listed(one: Case, runtime: string) {
  for (const difference of differences) {
    if (!(difference.runtimes as readonly string[]).includes(runtime)) continue
    const found = difference.cases.find(([title]) => title.test(formatTitle(one)))
    if (found) return { difference, instead: found[1] === undefined ? one.expect : found[1] }
  }
  return undefined
}

/** Checks an answer as every runtime must give it: by the case, and by the answer of `app.fetch` on this Node. */
async function asElsewhere(one: Case, seen: Seen, title: string): Promise<void> {
  check(seen, one.expect, title)
  if (one.via || one.before) return
  same(seen, await viaFetch(await one.app(), one.request), `${title} answers otherwise than app.fetch`)
}

/** Adds a test for each socket case. Their servers come after those of the other cases. */
function driveSockets(runtime: string, server: (index: number) => Promise<Server>): void {
  for (const [index, one] of socketCases.entries()) {
    test(`${runtime}: sockets: ${one.name}`, async () => {
      const { port, extra = "" } = await server(allCases.length + index)
      const lines = extra
        .split("\r\n")
        .filter(Boolean)
        .map((line) => line.split(": ") as [string, string])
      await runSocketCase(one, port, Object.fromEntries(lines))
    })
  }
}

/**
 * Adds a test for each case. The first test starts the runtime, and it is stopped after the last one.
 *
 * @param options `cases` are the first ones of the list, by default all.
 */
export function drive(
  runtime: string,
  start: () => Promise<Served>,
  { cases = allCases, sockets = true }: { cases?: readonly Case[]; sockets?: boolean } = {},
): void {
  let served: Promise<Served> | undefined
  test.before(setTimes)
  test.after(async () => {
    await (await served)?.stop()
  })
  const serving = () => {
    served ??= start()
    return served
  }
  const used = new Set<Difference>()
  for (const [index, one] of cases.entries()) {
    if (one.via === "fetch") continue
    const title = `${runtime}: ${formatTitle(one)}`
    const differs = listed(one, runtime)
    if (differs) used.add(differs.difference)
    const instead = differs?.instead
    if (instead === null) continue
    test(title, async () => {
      const seen = await play(one, (await serving()).server(index))
      if (!instead) return asElsewhere(one, seen, title)
      check(seen, instead, title)
      const agrees = await asElsewhere(one, seen, title).then(
        () => true,
        () => false,
      )
      assert.not(agrees, `${title} is listed as a difference, and does not differ any more`)
    })
  }
  if (sockets) driveSockets(runtime, async (index) => (await serving()).server(index))
  for (const difference of differences) {
    if ((difference.runtimes as readonly string[]).includes(runtime))
      test(`${runtime}: at least one case has the difference ${difference.name}`, () => assert.ok(used.has(difference)))
  }
}
