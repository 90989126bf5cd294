/**
 * Tests of two requests of one browser at the same time, in every order of their calls of the store, and with both
 * orders of their answers.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Context } from "../../lib/index.ts"
import { type Session, type SessionMiddleware, session } from "../../lib/session.ts"
import type { KV } from "../../lib/store/types.ts"

process.env.FW_SECRETS = "a secret for tests of 32 bytes or more"

type Mine = Session & { get(name: string): unknown; set(name: string, value: unknown): void }

/** A request that stops before each call of the store until its turn comes. */
class Lane {
  #release: (() => void) | undefined
  #isDone = false
  #wake = () => {}

  /** Returns true if a call waits. */
  get isWaiting(): boolean {
    return this.#release !== undefined
  }

  /** Waits for the turn of this request. */
  call(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve
      this.#wake()
    })
  }

  /** Marks the request as ended. */
  end(): void {
    this.#isDone = true
    this.#wake()
  }

  /** Waits until the request has reached its next call or its end. */
  async settle(): Promise<void> {
    if (this.#release === undefined && !this.#isDone)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
  }

  /** Lets the next call pass. */
  step(): Promise<void> {
    const release = this.#release
    this.#release = undefined
    release?.()
    return this.settle()
  }
}

const lanes = new AsyncLocalStorage<Lane>()

/** Returns an app whose store waits for the turns of requests. @param values the values of the store, by key */
function shop(values = new Map<string, string>()) {
  const turn = async <Result>(run: () => Result) => {
    await lanes.getStore()?.call()
    return run()
  }
  const text = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))
  const put = (key: string, value: unknown) => {
    const next = text(value)
    return next === undefined ? values.delete(key) : values.set(key, next)
  }
  const kv: KV = {
    get: <T>(key: string) =>
      turn(() => {
        const found = values.get(key)
        return found === undefined ? undefined : (JSON.parse(found) as T)
      }),
    // No other request knows the key of a new session yet, so the order of this call makes no difference.
    set: async (key, value) =>
      values.has(key) || key.startsWith("session-subject") ? turn(() => void put(key, value)) : void put(key, value),
    delete: async (key) => values.delete(key),
    compareAndSet: (key, expected, value) =>
      turn(() => {
        if (values.get(key) !== text(expected)) return false
        put(key, value)
        return true
      }),
  }
  const sessions = session({ store: { kv }, idle: 100 })
  const app = new App({ logger: false })
  app.use(sessions)
  app.get("/", async (c) => {
    const job = running.get(c.query("job"))
    await job?.(c.session as Mine, sessions, c)
    // A response of 500 does not save the session.
    return job === undefined ? c.noContent() : c.json(c.query("look") ? 500 : 200, null)
  })
  return { app, values }
}

type Job = (mine: Mine, sessions: SessionMiddleware, c: Context) => unknown
const running = new Map<string, Job>()
let numbers = 0

/** The cookie of a browser; `""` for none. */
type Jar = string
/** Returns the cookie after an answer. */
function after(jar: Jar, answer: Response): Jar {
  const [line] = answer.headers.getSetCookie()
  if (line === undefined) return jar
  return /Max-Age=0/.test(line) ? "" : (line.split(";")[0] ?? "")
}

async function send({ app }: ReturnType<typeof shop>, jar: Jar, job: Job, query = ""): Promise<Response> {
  const name = String(++numbers)
  running.set(name, job)
  const answer = await app.request(`/?job=${name}${query}`, { headers: jar ? { cookie: jar } : {} })
  running.delete(name)
  return answer
}

/** The session as the visitor sees it. */
interface Seen {
  readonly subject: string | undefined
  readonly cart: unknown
  readonly name: (name: string) => unknown
  readonly flashes: readonly string[]
}

async function see(own: ReturnType<typeof shop>, jar: Jar): Promise<Seen> {
  let seen: Seen | undefined
  const look: Job = (mine) => {
    const name = (name: string) => mine.get(name)
    seen = { subject: mine.subject, cart: mine.get("cart"), name, flashes: [...mine.flashed()] }
  }
  await send(own, jar, look, "&look=1")
  return seen as Seen
}

/** A request's function, the user after it, and the change that the session has after it. */
interface Action {
  readonly run: Job
  /** The user after the action; null if it signs out. */
  readonly subject?: string | null
  readonly rotates?: true
  /** True if the action ends all sessions of the user. */
  readonly endsAll?: true
  /** Returns true if the session contains the action's change. */
  readonly isKept?: (seen: Seen) => boolean
}

const actions: Readonly<Record<string, Action>> = {
  read: { run: (mine) => mine.get("cart") },
  change: {
    run(mine) {
      mine.set("late", 1)
      ;(mine.get("list") as unknown[] | undefined)?.push(1)
      mine.delete("old")
      mine.flashed()
      mine.flash("late")
    },
    isKept: ({ name, flashes }) =>
      /^\[1,\[1(,1)?],null]$/.test(JSON.stringify([name("late"), name("list"), name("old")])) &&
      flashes.includes("late") &&
      !flashes.includes("hello"),
  },
  rotate: { run: (mine) => mine.rotate(), rotates: true },
  "sign in": { run: (mine) => mine.signIn("ada"), subject: "ada" },
  "sign in as another": { run: (mine) => mine.signIn("bob"), subject: "bob" },
  "sign out": { run: (mine) => mine.destroy(), subject: null },
  "sign out, and begin again": {
    run: (mine) => {
      mine.destroy()
      mine.set("begun", 1)
    },
    subject: null,
  },
  "sign out everywhere": { run: (_, sessions) => sessions.destroyAll("ada"), subject: null, endsAll: true },
  "change the password": {
    run: async (mine, sessions) => {
      await sessions.destroyAll("ada")
      mine.signIn("ada")
    },
    subject: "ada",
    endsAll: true,
  },
}

/** The result of one order. */
interface Run {
  readonly own: ReturnType<typeof shop>
  readonly before: Jar
  readonly answers: readonly [Response, Response]
  /** True for a request whose handler found the earlier session. */
  readonly found: readonly [boolean, boolean]
  /** The numbers of the requests in the order of their calls. */
  readonly order: readonly number[]
  /** The steps at which either request could have continued. */
  readonly choices: readonly number[]
}

/** The initial state. The session must move its end, so that requests which only read write too. */
interface Start {
  readonly isSignedIn: boolean
  readonly jar: Jar
  readonly values: ReadonlyMap<string, string>
}

async function createStart(isSignedIn: boolean): Promise<Start> {
  const own = shop()
  const { now } = Date
  Date.now = () => now() - 50_000
  const begin: Job = (mine) => {
    for (const [name, value] of Object.entries({ cart: ["tea"], old: 1, list: [] })) mine.set(name, value)
    mine.flash("hello")
    if (isSignedIn) mine.signIn("ada")
  }
  const jar = after("", await send(own, "", begin))
  Date.now = now
  return { isSignedIn, jar, values: own.values }
}

async function runOnce(start: Start, pair: readonly Action[], schedule: readonly number[]): Promise<Run> {
  const own = shop(new Map(start.values))
  const before = start.jar
  const found: [boolean, boolean] = [false, false]
  const both = [new Lane(), new Lane()] as const
  const requests = both.map((lane, index) =>
    lanes.run(lane, () =>
      send(own, before, (mine, ...rest) => {
        found[index] = mine.get("cart") !== undefined
        return pair[index]?.run(mine, ...rest)
      }).finally(() => lane.end()),
    ),
  )
  const [order, choices]: [number[], number[]] = [[], []]
  for (const lane of both) await lane.settle()
  for (let step = 0; both.some((lane) => lane.isWaiting); step++) {
    if (both.every((lane) => lane.isWaiting)) choices.push(step)
    const wanted = schedule[step] ?? 0
    const index = both[wanted]?.isWaiting ? wanted : both.findIndex((lane) => lane.isWaiting)
    order.push(index)
    await both[index]?.step()
  }
  const answers = (await Promise.all(requests)) as [Response, Response]
  return { own, before, answers, found, order, choices }
}

/** Runs two actions in every order of their calls. */
async function runAll(start: Start, pair: readonly Action[], check: (run: Run) => Promise<void>) {
  const schedules: (readonly number[])[] = [[]]
  let count = 0
  for (let schedule = schedules.pop(); schedule; schedule = schedules.pop()) {
    const run = await runOnce(start, pair, schedule)
    count += 1
    await check(run)
    for (const step of run.choices)
      if (step >= schedule.length) schedules.push([...run.order.slice(0, step), 1 - (run.order[step] as number)])
  }
  return count
}

/** Returns what is wrong for a browser that gets the answers in a given order. */
async function findMistake(run: Run, isSignedIn: boolean, pair: readonly Action[], arrival: readonly number[]) {
  const { own, before, answers, found } = run
  let jar = before
  for (const index of arrival) jar = after(jar, answers[index] as Response)
  const [seen, old] = [await see(own, jar), await see(own, before)]
  const last = pair[arrival[1] as number] as Action
  const acts = pair.filter(({ subject }) => subject !== undefined)
  const signIns = acts.filter(({ subject }) => subject)
  const rotates = pair.some((action) => action.rotates)

  // Checks the user. Two actions at the same time may take effect in any order, but an answer without an action
  // never changes the user.
  const possible = acts.length > 0 ? acts.map(({ subject }) => subject ?? undefined) : [isSignedIn ? "ada" : undefined]
  // This case is documented: the new id of rotate() arrives after that of a sign-in, so nobody is signed in.
  const isOvertaken = signIns.length > 0 && last.rotates === true
  // The other request has ended all sessions, including that of the last answer.
  const isEnded = acts.length > 1 && acts.some(({ endsAll }) => endsAll)
  const isOut = seen.subject === undefined && (isOvertaken || isEnded)
  if (!possible.includes(seen.subject) && !isOut) return `the visitor is ${seen.subject}`
  if (signIns.length === 2 && seen.subject !== last.subject && !isOut)
    return "the visitor is the user of the first sign-in, not of the last one"

  // Checks what a request with the old id sees. An attacker may have planted or copied that id.
  if (rotates || acts.length > 0) {
    const isMoved = pair.some((one, index) => one.rotates && answers[index]?.headers.getSetCookie().length)
    const staysAnonymous = !isSignedIn && !isMoved && acts.length > 0 && signIns.length === acts.length
    if (old.subject !== undefined) return `the old id is ${old.subject}`
    if (old.cart !== undefined && !staysAnonymous) return "the old id has values"
    if (old.name("begun") !== undefined) return "the old id has values of the new session"
  }

  // Checks the values that the visitor keeps. A request with the id of an ended session does not know the session.
  const signsOut = acts.length > signIns.length
  if (signsOut && signIns.length === 0 && seen.cart !== undefined) return "the values of the ended session are back"
  const isKnown = pair.every(({ subject }, index) => subject === undefined || found[index])
  const isSame = new Set(signIns.map(({ subject }) => subject)).size < 2
  if (!signsOut && !isOut && isKnown && isSame && seen.cart === undefined) return "the values are lost"
  // This case is documented: changes that overlap with a sign-in stay under the old id.
  if (acts.length > 0) return undefined
  for (const [index, { isKept }] of pair.entries())
    if (isKept && found[index] && !isKept(seen)) return `the change of request ${index} is lost`
  return undefined
}

for (const isSignedIn of [false, true]) {
  const all = Object.keys(actions)
  // This action does nothing if the visitor has not signed in.
  const names = isSignedIn ? all : all.filter((name) => name !== "sign out everywhere")
  for (const [index, name] of names.entries())
    test(`${isSignedIn ? "a user" : "a visitor"}: "${name}" and another request at the same time, in every order`, async () => {
      const start = await createStart(isSignedIn)
      for (const other of names.slice(index)) {
        const pair = [actions[name], actions[other]] as readonly Action[]
        const count = await runAll(start, pair, async (run) => {
          for (const arrival of [
            [0, 1],
            [1, 0],
          ]) {
            const mistake = await findMistake(run, isSignedIn, pair, arrival)
            const place = `${name} (0), ${other} (1): calls ${run.order.join("")}, answers ${arrival.join("")}`
            assert.is(mistake, undefined, `${place}: ${mistake}`)
          }
        })
        assert.ok(count > 1)
      }
    })
}

test.run()
