/**
 * Tests of sessions: which values visitors keep, how sessions end, and how concurrent requests affect each other.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { App, type Context, type FwError } from "../../../lib/index.ts"
import { type Session, type SessionMiddleware, type SessionOptions, session } from "../../../lib/session.ts"
import { memoryStore } from "../../../lib/store/memory.ts"
import type { KV } from "../../../lib/store/types.ts"

process.env.FW_SECRETS = "a secret for tests of 32 bytes or more"

const any = (c: Context) =>
  c.session as Session & { get(name: string): unknown; set(name: string, value: unknown): void }

interface Shop {
  readonly app: App
  readonly sessions: SessionMiddleware
  readonly kv: KV
  /** The calls of the store that change a value. */
  readonly writes: unknown[][]
}

/** Returns an app with sessions. A test passes what a request does as a function. */
function shop(options: Partial<SessionOptions> = {}, shared: { readonly kv: KV } = memoryStore()): Shop {
  const writes: unknown[][] = []
  const { kv } = shared
  const record = <Result>(given: unknown[], result: Result): Result => {
    writes.push(given)
    return result
  }
  const recorded: KV = {
    get: (key) => kv.get(key),
    set: (...given) => record(given, kv.set(...given)),
    delete: (...given) => record(given, kv.delete(...given)),
    compareAndSet: (...given) => record(given, kv.compareAndSet(...given)),
  }
  const app = new App({ logger: false })
  const sessions = session({ store: { kv: recorded }, ...options })
  app.use(sessions)
  app.get("/", (c) => {
    const run = jobs.get(c.query("job"))
    return run ? run(c) : c.noContent()
  })
  return { app, sessions, kv, writes }
}

type Job = (c: Context) => Response | Promise<Response>
const jobs = new Map<string, Job>()
let numbers = 0

/** A browser that keeps cookies. */
class Visitor {
  cookies = new Map<string, string>()
  readonly #app: App
  readonly #base: string
  constructor({ app }: Shop, base = "http://localhost") {
    this.#app = app
    this.#base = base
  }

  /** Sends a request, during which a function runs with the session. */
  async visit(job: (session: ReturnType<typeof any>, c: Context) => unknown, status = 200): Promise<Response> {
    const name = String(++numbers)
    jobs.set(name, async (c) => c.json(status, (await job(any(c), c)) ?? null))
    const cookie = [...this.cookies].map(([key, value]) => `${key}=${value}`).join("; ")
    const answer = await this.#app.request(`${this.#base}/?job=${name}`, {
      headers: cookie ? { cookie } : {},
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) this.cookies.delete(key)
      else this.cookies.set(key, value)
    }
    return answer
  }

  async read(name: string): Promise<unknown> {
    return (await this.visit((own) => own.get(name))).json()
  }

  /** Returns the same browser on another machine, as if somebody had copied its cookies. */
  copy(): Visitor {
    const other = new Visitor({ app: this.#app } as Shop, this.#base)
    other.cookies = new Map(this.cookies)
    return other
  }
}

test("the next request of a visitor finds the values, and requests of others do not", async () => {
  const own = shop()
  const [ada, bob] = [new Visitor(own), new Visitor(own)]
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  await bob.visit((mine) => mine.set("cart", ["cup"]))
  assert.equal(await ada.read("cart"), ["tea"])
  assert.equal(await bob.read("cart"), ["cup"])
  assert.is(await new Visitor(own).read("cart"), null)
})

test("without a value there is no cookie, and nothing is stored", async () => {
  const own = shop()
  const answer = await new Visitor(own).visit((mine) => [mine.get("cart"), mine.subject, mine.isNew])
  assert.equal(await answer.json(), [null, null, true])
  assert.equal([answer.headers.getSetCookie(), own.writes], [[], []])
})

const value = "[\\w-]{43}\\.[\\w-]{43}"
const forms: ReadonlyArray<
  readonly [env: string, base: string, options: Partial<SessionOptions>, name: string, attributes: string]
> = [
  ["development", "http://localhost", {}, "session", "HttpOnly; SameSite=Lax"],
  ["development", "https://shop.example", {}, "__Host-session", "HttpOnly; Secure; SameSite=Lax"],
  ["production", "http://shop.example", {}, "__Host-session", "HttpOnly; Secure; SameSite=Lax"],
  ["production", "http://shop.example", { secure: "auto" }, "session", "HttpOnly; SameSite=Lax"],
  ["production", "https://shop.example", { secure: "auto" }, "__Host-session", "HttpOnly; Secure; SameSite=Lax"],
  ["production", "https://shop.example", { secure: false }, "session", "HttpOnly; SameSite=Lax"],
  ["development", "http://localhost", { secure: true }, "__Host-session", "HttpOnly; Secure; SameSite=Lax"],
  ["production", "https://shop.example", { sameSite: "Strict" }, "__Host-session", "HttpOnly; Secure; SameSite=Strict"],
  ["development", "http://localhost", { sameSite: "Strict" }, "session", "HttpOnly; SameSite=Strict"],
  ["development", "http://localhost", { sameSite: "None" }, "__Host-session", "HttpOnly; Secure; SameSite=None"],
  [
    "production",
    "https://shop.example",
    { sameSite: "None", secure: true },
    "__Host-session",
    "HttpOnly; Secure; SameSite=None",
  ],
  [
    "production",
    "https://a.shop.example",
    { domain: "shop.example" },
    "__Secure-session",
    "Domain=shop.example; HttpOnly; Secure; SameSite=Lax",
  ],
  [
    "development",
    "http://a.shop.example",
    { domain: "shop.example", cookie: "id" },
    "id",
    "Domain=shop.example; HttpOnly; SameSite=Lax",
  ],
]
for (const [env, base, options, name, attributes] of forms)
  test(`the cookie in ${env} at ${base} with ${JSON.stringify(options)} is ${name}, ${attributes}`, async () => {
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = env
    try {
      const visitor = new Visitor(shop(options), base)
      const answer = await visitor.visit((mine) => mine.set("a", 1))
      const form = new RegExp(`^${name}=${value}; Path=/; Max-Age=2592000; ${attributes}$`)
      assert.match(answer.headers.getSetCookie().join("\n"), form)
      assert.is(await visitor.read("a"), 1)
      const end = await visitor.visit((mine) => mine.destroy())
      assert.is(end.headers.getSetCookie().join("\n"), `${name}=; Path=/; Max-Age=0; ${attributes}`)
    } finally {
      if (before === undefined) delete process.env.NODE_ENV
      else process.env.NODE_ENV = before
    }
  })

for (const [proxies, forwarded, name] of [
  [["203.0.113.9"], "https", "__Host-session"],
  [["203.0.113.9"], "http", "session"],
  [[], "https", "session"],
] as const)
  test(`with secure: "auto" X-Forwarded-Proto: ${forwarded} gives ${name} if ${proxies.length} proxies are trusted`, async () => {
    const app = new App({ logger: false, trustedProxies: [...proxies] })
    app.use(session({ store: memoryStore(), secure: "auto" }))
    app.get("/", (c) => {
      any(c).set("a", 1)
      return c.noContent()
    })
    const headers = { "X-Forwarded-Proto": forwarded, "X-Forwarded-For": "198.51.100.7" }
    const answer = await app.request("http://shop.example/", { headers }, { clientIP: "203.0.113.9" })
    assert.is(answer.headers.getSetCookie()[0]?.split("=")[0], name)
  })

test("in production missing secrets are an error at start; in development sessions work without", async () => {
  const { FW_SECRETS, NODE_ENV } = process.env
  try {
    for (const secrets of ["", "short"]) {
      process.env.FW_SECRETS = secrets
      process.env.NODE_ENV = "production"
      assert.throws(
        () => shop(),
        (error: FwError) => error.code === "secrets",
      )
    }
    process.env.FW_SECRETS = ""
    process.env.NODE_ENV = "development"
    const visitor = new Visitor(shop())
    await visitor.visit((mine) => mine.set("a", 1))
    assert.is(await visitor.read("a"), 1)
  } finally {
    process.env.FW_SECRETS = FW_SECRETS ?? ""
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
})

test("several workers need secrets in development too, because each would generate its own", () => {
  const store = memoryStore()
  const { FW_SECRETS } = process.env
  try {
    process.env.FW_WORKER = "2"
    session({ store })
    process.env.FW_SECRETS = ""
    assert.throws(
      () => session({ store }),
      (error: FwError) => error.code === "secrets",
    )
    process.env.FW_WORKER = "1"
    session({ store })
  } finally {
    process.env.FW_SECRETS = FW_SECRETS ?? ""
    delete process.env.FW_WORKER
  }
})

test("a store that other processes share needs secrets in development too", () => {
  const memory = memoryStore()
  const shared = { ...memory, engine: "redis" }
  const { FW_SECRETS, NODE_ENV } = process.env
  try {
    session({ store: shared })
    process.env.FW_SECRETS = ""
    assert.throws(
      () => session({ store: shared }),
      (error: FwError) => error.code === "secrets",
    )
    session({ store: memory })
    session({ store: { kv: memory.kv } })
    // In this environment, a shared store needs no secrets, because a test file is one process.
    process.env.NODE_ENV = "test"
    session({ store: shared })
  } finally {
    process.env.FW_SECRETS = FW_SECRETS ?? ""
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
})

test("a cookie that was changed, made up or belongs to no session is ignored, and its id is not used", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.set("a", 1))
  const [name, value] = [...ada.cookies][0] as [string, string]
  const [id = "", signature = ""] = value.split(".")
  const planted = new Visitor(shop())
  await planted.visit((mine) => mine.set("a", 1))
  const unknown = [...planted.cookies.values()][0] as string
  for (const wrong of [id, `${id}.`, `${id}.${"A".repeat(43)}`, `${"A".repeat(43)}.${signature}`, "", ".", unknown]) {
    const eve = new Visitor(own)
    eve.cookies.set(name, wrong)
    assert.is(await eve.read("a"), null, wrong)
    await eve.visit((mine) => mine.set("b", 2))
    assert.not.equal(eve.cookies.get(name), wrong)
    assert.not.equal(eve.cookies.get(name)?.split(".")[0], wrong.split(".")[0])
  }
  assert.is(await ada.read("a"), 1)
})

test("the store contains no valid session id", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.set("a", 1))
  const [id = ""] = ([...ada.cookies.values()][0] as string).split(".")
  assert.not.ok(JSON.stringify(own.writes).includes(id))
})

test("a session is saved only if it has changed", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  const count = own.writes.length
  await ada.visit((mine) => [mine.get("cart"), mine.get("none"), mine.flashed()])
  assert.is(own.writes.length, count)
  await ada.visit((mine) => (mine.get("cart") as string[]).push("cup"))
  assert.is(own.writes.length, count + 1, "a change in place was not saved")
  assert.equal(await ada.read("cart"), ["tea", "cup"])
})

/** Lets two requests of a visitor overlap: the second one runs completely while the first one is in its handler. */
async function overlap(
  visitor: Visitor,
  first: (mine: ReturnType<typeof any>) => unknown,
  second: (mine: ReturnType<typeof any>) => unknown,
) {
  const inner = visitor.copy()
  await visitor.visit(async (mine) => {
    await first(mine)
    await inner.visit(second)
  })
  return inner
}

test("simultaneous requests keep each other's changes, and of one value the last write wins", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => {
    mine.set("kept", 1)
    mine.set("deleted", 1)
    mine.set("both", 0)
  })
  await overlap(
    ada,
    (mine) => {
      mine.set("first", 1)
      mine.set("both", 1)
    },
    (mine) => {
      mine.set("second", 2)
      mine.set("both", 2)
      mine.delete("deleted")
    },
  )
  const seen = []
  for (const name of ["kept", "deleted", "first", "second", "both"]) seen.push(await ada.read(name))
  assert.equal(seen, [1, null, 1, 2, 1])
})

test("no change of 50 simultaneous requests is lost", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.set("start", true))
  await Promise.all(Array.from({ length: 50 }, (_, index) => ada.copy().visit((mine) => mine.set(`n${index}`, index))))
  for (let index = 0; index < 50; index++) assert.is(await ada.read(`n${index}`), index)
})

test("signing in gives the session another id, and keeps its values", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  const before = ada.copy()
  await ada.visit((mine) => mine.signIn("user 7"))
  assert.not.equal([...ada.cookies], [...before.cookies])
  const [subject, cart] = (await (await ada.visit((mine) => [mine.subject, mine.get("cart")])).json()) as unknown[]
  assert.equal([subject, cart], ["user 7", ["tea"]])
  assert.is(await (await before.visit((mine) => mine.subject)).json(), null)
})

/** Returns the subject and the values that a visitor sees. */
const seen = async (visitor: Visitor, ...names: string[]) =>
  (await visitor.visit((mine) => [mine.subject, ...names.map((name) => mine.get(name))])).json()

test("a visitor who loses the answer to signIn() still has the anonymous values, and keeps them by signing in again", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  const lost = ada.copy()
  await ada.visit((mine) => mine.signIn("user 7"))
  assert.equal(await seen(lost, "cart"), [null, ["tea"]])
  await lost.visit((mine) => mine.signIn("user 7"))
  assert.equal(await seen(lost, "cart"), ["user 7", ["tea"]])
  assert.equal(await seen(ada, "cart"), ["user 7", ["tea"]])
})

test("the old id never gets values that the request that signed in has set, changed or used up", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => {
    mine.set("cart", ["tea"])
    mine.set("code", "1234")
    mine.set("step", 1)
    mine.flash("hello")
  })
  const planted = ada.copy()
  await ada.visit((mine) => {
    mine.delete("code")
    mine.set("step", 2)
    mine.set("admin", true)
    mine.signIn("user 7")
  })
  await ada.visit((mine) => mine.set("cart", ["tea", "cup"]))
  assert.equal(await seen(planted, "cart", "code", "step", "admin"), [null, ["tea"], null, null, null])
  assert.equal(await (await planted.visit((mine) => mine.flashed())).json(), [])
})

test("the old id ends 60 seconds after the sign-in, and no request changes that", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  const lost = ada.copy()
  await ada.visit((mine) => mine.signIn("user 7"))
  await later(50, () => seen(lost.copy()))
  await later(50, () => lost.copy().visit((mine) => mine.signIn("user 8")))
  assert.equal(await later(59, () => seen(lost, "cart")), [null, ["tea"]])
  assert.equal(await later(61, () => seen(lost, "cart")), [null, null])
})

test("requests with the old id set no cookie, and their changes are kept under it until the visitor signs in again", async () => {
  const ada = new Visitor(shop({ idle: 600 }))
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  const old = ada.copy()
  await ada.visit((mine) => mine.signIn("user 7"))
  for (const job of [
    () => 1,
    (mine: ReturnType<typeof any>) => mine.set("theme", "dark"),
    (mine: ReturnType<typeof any>) => mine.flash("hello"),
    (mine: ReturnType<typeof any>) => mine.rotate(),
    (mine: ReturnType<typeof any>) => {
      mine.set("admin", true)
      mine.rotate()
    },
  ])
    assert.equal((await later(50, () => old.visit(job))).headers.getSetCookie(), [])
  assert.equal(await seen(old, "cart", "theme", "admin"), [null, ["tea"], "dark", null])
  assert.equal(await seen(ada, "cart", "theme", "admin"), ["user 7", ["tea"], null, null])
  await old.visit((mine) => mine.signIn("user 7"))
  assert.equal(await seen(old, "cart", "theme"), ["user 7", ["tea"], "dark"])
})

/** Ways in which a session id becomes invalid, and what the visitor gets afterwards. */
const endings: ReadonlyArray<
  readonly [
    name: string,
    before: string | null,
    act: (mine: ReturnType<typeof any>, own: Shop) => unknown,
    subject: string | null,
  ]
> = [
  ["signIn() of a visitor", null, (mine) => mine.signIn("user 7"), "user 7"],
  ["signIn() of a user", "user 7", (mine) => mine.signIn("user 7"), "user 7"],
  ["rotate() of a visitor", null, (mine) => mine.rotate(), null],
  ["rotate() of a user", "user 7", (mine) => mine.rotate(), "user 7"],
  ["destroy()", "user 7", (mine) => mine.destroy(), null],
  [
    "a change of the password",
    "user 7",
    async (mine, { sessions }) => {
      await sessions.destroyAll("user 7")
      mine.signIn("user 7")
    },
    "user 7",
  ],
]
for (const [name, before, act, subject] of endings)
  test(`after ${name}, requests with the old id set no cookie, and change nothing`, async () => {
    const own = shop()
    const ada = new Visitor(own)
    await ada.visit((mine) => {
      mine.set("cart", ["tea"])
      if (before) mine.signIn(before)
    })
    const [old, copied] = [ada.copy(), ada.copy()]
    await ada.visit((mine) => act(mine, own))
    for (const late of [
      (mine: ReturnType<typeof any>) => mine.set("late", 1),
      (mine: ReturnType<typeof any>) => mine.delete("cart"),
      (mine: ReturnType<typeof any>) => mine.flash("late"),
      (mine: ReturnType<typeof any>) => mine.flashed(),
      (mine: ReturnType<typeof any>) => {
        mine.set("late", 1)
        mine.rotate()
      },
    ])
      assert.equal((await old.visit(late)).headers.getSetCookie(), [])
    assert.equal(await seen(ada, "late"), [subject, null])
    assert.is(await (await copied.visit((mine) => mine.subject)).json(), null)
    assert.equal(await (await ada.visit((mine) => mine.flashed())).json(), [])
  })

for (const [name, before, act] of endings)
  test(`60 seconds after ${name} the old id is unknown: a request that sets a value starts a new session`, async () => {
    const own = shop()
    const ada = new Visitor(own)
    await ada.visit((mine) => {
      mine.set("cart", ["tea"])
      if (before) mine.signIn(before)
    })
    const old = ada.copy()
    await ada.visit((mine) => act(mine, own))
    await later(61, () => old.visit((mine) => mine.set("a", 1)))
    assert.equal(await seen(old, "a", "cart"), [null, 1, null])
  })

test("signing out with an old id also ends the session that followed it", async () => {
  for (const turn of [
    (mine: ReturnType<typeof any>) => mine.signIn("user 7"),
    (mine: ReturnType<typeof any>) => mine.rotate(),
  ])
    for (const before of [null, "user 7"]) {
      const ada = new Visitor(shop())
      await ada.visit((mine) => {
        mine.set("cart", ["tea"])
        if (before) mine.signIn(before)
      })
      const old = ada.copy()
      await ada.visit(turn)
      await ada.visit((mine) => mine.rotate())
      await old.visit((mine) => mine.destroy())
      assert.is(old.cookies.size, 0)
      assert.equal(await seen(ada, "cart"), [null, null])
    }
})

test("if a visitor whose session has expired signs in, late requests with the old id do not change the new session", async () => {
  const ada = new Visitor(shop({ idle: 100, lifetime: 100 }))
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  const old = ada.copy()
  await later(101, () => ada.visit((mine) => mine.signIn("user 7")))
  await later(101, () => old.visit((mine) => mine.set("late", 1)))
  assert.equal([...old.cookies].length, 1)
  assert.not.equal([...old.cookies], [...ada.cookies])
  const again = await later(101, () => old.visit((mine) => mine.set("late", 2)))
  assert.equal(again.headers.getSetCookie(), [])
  assert.equal(await later(101, () => seen(ada, "late", "cart")), ["user 7", null, null])
})

test("a request that found no session for its id leaves the cookie alone if a sign-in with that id overlaps with it", async () => {
  const ada = new Visitor(shop({ idle: 100, lifetime: 100 }))
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  const before = ada.copy()
  await later(101, async () => {
    const inner = await overlap(
      ada,
      (mine) => mine.set("late", 1),
      (mine) => mine.signIn("user 7"),
    )
    assert.equal([...ada.cookies], [...before.cookies])
    assert.equal(await seen(inner, "late"), ["user 7", null])
  })
})

test("for 5 seconds after destroyAll(), a request of an ended session sets no cookie, because the visitor may be signing in", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.signIn("user 7"))
  await own.sessions.destroyAll("user 7")
  const write = (mine: ReturnType<typeof any>) => mine.set("late", 1)
  assert.equal((await later(4, () => ada.visit(write))).headers.getSetCookie(), [])
  assert.is((await later(6, () => ada.visit(write))).headers.getSetCookie().length, 1)
  assert.equal(await seen(ada, "late"), [null, 1])
})

test("a compareAndSet() that never works is an error, and no endless loop", async () => {
  const { kv } = memoryStore()
  const reports: unknown[] = []
  const wrong = { ...kv, compareAndSet: async () => false }
  const [ada, bob] = [new Visitor(shop({}, { kv: wrong })), new Visitor(shop({}, { kv: wrong }))]
  for (const visitor of [ada, bob]) await visitor.visit((mine) => mine.set("a", 1))
  setDevHooks({ onBug: (error) => reports.push(error) })
  try {
    assert.is((await ada.visit((mine) => mine.set("a", 2))).status, 503)
    for (const job of [
      (mine: ReturnType<typeof any>) => mine.rotate(),
      (mine: ReturnType<typeof any>) => mine.signIn("user 7"),
      (mine: ReturnType<typeof any>) => mine.destroy(),
    ])
      assert.is((await bob.visit(job)).status, 503)
  } finally {
    setDevHooks(undefined)
  }
  assert.match(String(reports[0]), /compareAndSet\(\).* returned false 10 times/)
})

test("a session that starts after destroy() in the same request contains nothing of the earlier one", async () => {
  for (const begin of [
    (mine: ReturnType<typeof any>) => mine.signIn("user 8"),
    (mine: ReturnType<typeof any>) => mine.set("a", 1),
    (mine: ReturnType<typeof any>) => {
      mine.set("a", 1)
      mine.rotate()
    },
  ]) {
    const ada = new Visitor(shop())
    await ada.visit((mine) => {
      mine.set("cart", ["tea"])
      mine.flash("hello")
      mine.signIn("user 7")
    })
    const old = ada.copy()
    await ada.visit((mine) => {
      mine.destroy()
      begin(mine)
    })
    assert.is(ada.cookies.size, 1)
    assert.is(await ada.read("cart"), null)
    assert.equal(await (await ada.visit((mine) => mine.flashed())).json(), [])
    assert.equal(await seen(old, "cart"), [null, null])
  }
})

test("after two simultaneous sign-ins of one user, both sessions have the values", async () => {
  for (const before of [null, "user 7"]) {
    const ada = new Visitor(shop())
    await ada.visit((mine) => {
      mine.set("cart", ["tea"])
      if (before) mine.signIn(before)
    })
    const inner = await overlap(
      ada,
      (mine) => mine.signIn("user 7"),
      (mine) => {
        mine.set("b", 2)
        mine.signIn("user 7")
      },
    )
    assert.not.equal([...inner.cookies], [...ada.cookies])
    for (const visitor of [inner, ada]) assert.equal(await seen(visitor, "cart", "b"), ["user 7", ["tea"], 2])
  }
})

test("a request that overlaps with a sign-in does not write to the old id", async () => {
  for (const late of [
    (mine: ReturnType<typeof any>) => mine.set("late", 1),
    (mine: ReturnType<typeof any>) => mine.rotate(),
  ]) {
    const ada = new Visitor(shop())
    await ada.visit((mine) => mine.set("cart", ["tea"]))
    const before = ada.copy()
    const inner = await overlap(ada, late, (mine) => mine.signIn("user 7"))
    assert.equal([...ada.cookies], [...before.cookies], "the late request set a cookie")
    assert.equal(await seen(before, "late", "cart"), [null, null, ["tea"]])
    assert.equal(await seen(inner, "cart"), ["user 7", ["tea"]])
  }
})

test("the old id of a visitor who had already signed in ends at once", async () => {
  for (const turn of [
    (mine: ReturnType<typeof any>) => mine.signIn("user 8"),
    (mine: ReturnType<typeof any>) => mine.rotate(),
  ]) {
    const ada = new Visitor(shop())
    await ada.visit((mine) => mine.set("cart", ["tea"]))
    await ada.visit((mine) => mine.signIn("user 7"))
    const before = ada.copy()
    await ada.visit(turn)
    assert.equal(await seen(before, "cart"), [null, null])
  }
})

test("rotate() gives another id, with the changes of concurrent requests", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.set("a", 1))
  const before = ada.copy()
  await overlap(
    ada,
    (mine) => mine.rotate(),
    (mine) => mine.set("b", 2),
  )
  assert.equal([await ada.read("a"), await ada.read("b")], [1, 2])
  assert.is(await before.read("a"), null)
})

test("changes of a request that overlaps with rotate() are in the session with the new id", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.set("a", 1))
  const planted = ada.copy()
  const inner = await overlap(
    ada,
    (mine) => mine.set("late", 1),
    async (mine) => {
      mine.set("b", 2)
      mine.rotate()
    },
  )
  assert.equal([...ada.cookies], [...planted.cookies], "the late request set a cookie")
  assert.equal(await seen(inner, "a", "b", "late"), [null, 1, 2, 1])
  assert.equal(await seen(planted, "a", "b", "late"), [null, null, null, null])
})

test("if two requests rotate a session at the same time, one sets the cookie, and both changes stay", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.signIn("user 7"))
  const before = ada.copy()
  const turn = (name: string) => (mine: ReturnType<typeof any>) => {
    mine.set(name, 1)
    mine.rotate()
  }
  const inner = await overlap(ada, turn("one"), turn("two"))
  assert.equal([...ada.cookies], [...before.cookies])
  assert.equal(await seen(inner, "one", "two"), ["user 7", 1, 1])
  assert.equal(await seen(before, "one", "two"), [null, null, null])
})

test("destroy() also ends a session to which another request gives a new id meanwhile", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.signIn("user 7"))
  const inner = await overlap(
    ada,
    (mine) => mine.destroy(),
    (mine) => mine.rotate(),
  )
  assert.equal(await seen(inner), [null])
})

test("signing in while another request rotates keeps the values of both", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.set("cart", ["tea"]))
  await overlap(
    ada,
    (mine) => mine.signIn("user 7"),
    (mine) => {
      mine.set("b", 2)
      mine.rotate()
    },
  )
  assert.equal(await seen(ada, "cart", "b"), ["user 7", ["tea"], 2])
})

test("destroy() ends the session, also for copies of the cookie, and a concurrent request does not bring it back", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => mine.signIn("user 7"))
  const copied = ada.copy()
  await overlap(
    ada,
    (mine) => mine.set("late", 1),
    (mine) => mine.destroy(),
  )
  assert.equal(await (await copied.visit((mine) => [mine.subject, mine.get("late")])).json(), [null, null])
  await ada.visit((mine) => mine.set("a", 1))
  await ada.visit((mine) => mine.destroy())
  assert.is(ada.cookies.size, 0)
})

test("destroyAll() ends the sessions of a subject in every process, and no others", async () => {
  const store = memoryStore()
  const [one, two] = [shop({}, store), shop({}, store)]
  const visitors = [new Visitor(one), new Visitor(two), new Visitor(one)]
  const subjects = ["user 7", "user 7", "user 8"]
  for (const [index, visitor] of visitors.entries())
    await visitor.visit((mine) => mine.signIn(subjects[index] as string))
  await one.sessions.destroyAll("user 7")
  const seen = []
  for (const visitor of visitors) seen.push(await (await visitor.visit((mine) => mine.subject)).json())
  assert.equal(seen, [null, null, "user 8"])
  await visitors[0]?.visit((mine) => mine.signIn("user 7"))
  assert.is(await (await visitors[0]?.visit((mine) => mine.subject))?.json(), "user 7")
  await two.sessions.destroyAll("user 7")
  assert.is(await (await visitors[0]?.visit((mine) => mine.subject))?.json(), null)
})

/** Runs a function with a clock that is ahead by some seconds. */
async function later<Result>(seconds: number, run: () => Promise<Result>): Promise<Result> {
  const { now } = Date
  Date.now = () => now() + seconds * 1000
  try {
    return await run()
  } finally {
    Date.now = now
  }
}

test("requests extend a session, but not beyond its lifetime", async () => {
  const own = shop({ idle: 100, lifetime: 250 })
  const ada = new Visitor(own)
  const ends = () => own.writes.map((given) => (given.at(-1) as { ttl: number }).ttl)
  await ada.visit((mine) => mine.set("a", 1))
  for (const time of [0, 50, 140, 200, 210]) await later(time, () => ada.visit(() => 1))
  assert.equal(ends(), [100, 100, 100, 50, 40], "the end was not extended, or it was extended at every request")
  assert.is(await later(251, () => ada.read("a")), null)
  const idle = new Visitor(own)
  await idle.visit((mine) => mine.set("a", 1))
  await later(90, () => idle.visit(() => 1))
  assert.is(await later(180, () => idle.read("a")), 1)
})

test("only a request that starts or ends a session or changes its id sets the cookie, which is valid for the rest of the lifetime", async () => {
  const ada = new Visitor(shop({ idle: 100, lifetime: 1000 }))
  const set = (mine: ReturnType<typeof any>) => mine.set("a", Math.random())
  const signIn = (mine: ReturnType<typeof any>) => mine.signIn("user 7")
  const rotate = (mine: ReturnType<typeof any>) => mine.rotate()
  const steps = [
    [0, set, 1000],
    [3, set, undefined],
    [60, () => 1, undefined],
    [120, rotate, 880],
    [180, set, undefined],
    [200, signIn, 1000],
    [290, () => 1, undefined],
    [300, (mine: ReturnType<typeof any>) => mine.destroy(), 0],
  ] as const
  for (const [time, job, wanted] of steps) {
    const lines = (await later(time, () => ada.visit(job))).headers.getSetCookie()
    const ages = lines.map((line) => Number(/Max-Age=(\d+)/.exec(line)?.[1]))
    assert.equal(ages, wanted === undefined ? [] : [wanted], `after ${time} s`)
  }
})

test("a clock that was set back, or the clock of another machine that is ahead, does not end a session in use", async () => {
  const own = shop({ idle: 100, lifetime: 10_000 })
  const ada = new Visitor(own)
  await later(3_600, () => ada.visit((mine) => mine.set("a", 1)))
  for (const writes of [2, 2]) {
    await ada.visit(() => 1)
    assert.is(own.writes.length, writes)
  }
})

test("a request during which the session ends is answered with 200, and not as an outage", async () => {
  const { now } = Date
  for (const job of [
    (mine: ReturnType<typeof any>) => mine.set("a", 2),
    (mine: ReturnType<typeof any>) => mine.rotate(),
  ]) {
    const ada = new Visitor(shop({ idle: 100, lifetime: 100 }))
    await ada.visit((mine) => mine.set("a", 1))
    try {
      const answer = await ada.visit((mine) => {
        job(mine)
        Date.now = () => now() + 101_000
      })
      assert.is(answer.status, 200)
      assert.is(await ada.read("a"), null)
    } finally {
      Date.now = now
    }
  }
})

test("a value that can no longer be stored is a bug, and not an outage", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.set("list", []))
  for (const job of [
    (mine: ReturnType<typeof any>) => (mine.get("list") as unknown[]).push(1n),
    (mine: ReturnType<typeof any>) => {
      const list: unknown[] = []
      mine.set("other", list)
      list.push(1n)
    },
  ])
    assert.is((await ada.visit((mine) => void job(mine))).status, 500)
  assert.equal(await ada.read("list"), [])
})

test("of messages that no page shows, the newest 100 are kept", async () => {
  const ada = new Visitor(shop())
  for (const part of [0, 1, 2])
    await ada.visit((mine) => {
      for (let number = 1; number <= 50; number++) mine.flash(`${part * 50 + number}`)
    })
  const read = (await (await ada.visit((mine) => mine.flashed())).json()) as string[]
  assert.equal([read.length, read[0], read.at(-1)], [100, "51", "150"])
})

test("signing in starts a new lifetime", async () => {
  const ada = new Visitor(shop({ idle: 100, lifetime: 100 }))
  await ada.visit((mine) => mine.set("a", 1))
  await later(90, () => ada.visit((mine) => mine.signIn("user 7")))
  assert.is(await later(150, () => ada.read("a")), 1)
})

test("messages wait for the next page, and are shown once", async () => {
  const own = shop()
  const ada = new Visitor(own)
  await ada.visit((mine) => {
    mine.flash("one")
    mine.flash("two")
  })
  await overlap(
    ada,
    (mine) => mine.flash("three"),
    (mine) => mine.flash("four"),
  )
  assert.equal(((await (await ada.visit((mine) => mine.flashed())).json()) as string[]).sort(), [
    "four",
    "one",
    "three",
    "two",
  ])
  assert.equal(await (await ada.visit((mine) => mine.flashed())).json(), [])
})

test("a response of 500 saves no changes of the session, and one of 422 saves them", async () => {
  const ada = new Visitor(shop())
  await ada.visit((mine) => mine.set("a", 1), 422)
  await ada.visit((mine) => mine.set("a", 2), 500)
  assert.is(await ada.read("a"), 1)
})

for (const call of ["get", "set", "compareAndSet"] as const)
  test(`while the store fails at ${call}, requests are answered with 503, and the outage is reported once`, async () => {
    const store = memoryStore()
    const kv = { ...store.kv }
    const own = shop({}, { kv })
    const visitors = [new Visitor(own), new Visitor(own)]
    if (call !== "set") for (const visitor of visitors) await visitor.visit((mine) => mine.set("a", 1))
    const reports: unknown[] = []
    setDevHooks({ onBug: (error) => reports.push(error) })
    const away = () => Promise.reject(new Error("the store is away"))
    kv[call] = away
    try {
      for (const visitor of visitors) {
        const answer = await visitor.visit((mine) => mine.set("a", 2))
        assert.is(answer.status, 503)
        assert.is(answer.headers.get("retry-after"), "1")
        assert.is(answer.headers.getSetCookie().length, 0)
        assert.not.match(await answer.text(), /away/)
      }
    } finally {
      setDevHooks(undefined)
    }
    assert.is(reports.length, 1)
    kv[call] = store.kv[call] as never
    assert.is(await visitors[0]?.read("a"), call === "set" ? null : 1)
  })

test("a change after the response has started is an error, because it would be lost", async () => {
  const ada = new Visitor(shop())
  let kept: ReturnType<typeof any> | undefined
  await ada.visit((mine) => {
    kept = mine
    mine.set("a", 1)
  })
  for (const run of [
    () => kept?.set("a", 2),
    () => kept?.delete("a"),
    () => kept?.flash("x"),
    () => kept?.rotate(),
    () => kept?.signIn("x"),
    () => kept?.destroy(),
  ])
    assert.throws(run, (error: FwError) => error.code === "session")
  assert.is(kept?.get("a"), 1)
})

test("wrong values, subjects and options are errors", async () => {
  const code = (error: unknown) => ["session", "store"].includes(String((error as FwError).code))
  await new Visitor(shop()).visit((mine) => {
    for (const value of [undefined, () => 1, 1n]) assert.throws(() => mine.set("a", value), code)
    for (const subject of ["", 7, undefined]) assert.throws(() => mine.signIn(subject as string), code)
  })
  const { kv } = memoryStore()
  const wrong: readonly unknown[] = [
    ...[undefined, {}, { store: {} }, { store: { capabilities: ["counter"], kv } }, { store: { kv }, maxAge: 1 }],
    ...[0, -1, 1.5, Number.NaN, "1", 1e12].flatMap((seconds) => [
      { store: { kv }, idle: seconds },
      { store: { kv }, lifetime: seconds },
    ]),
    { store: { kv }, idle: 10, lifetime: 5 },
    ...["", "__Host-x", "a b", 7].map((cookie) => ({ store: { kv }, cookie })),
    ...["lax", "", null, true, false].map((sameSite) => ({ store: { kv }, sameSite })),
    ...["true", "Auto", 1, null].map((secure) => ({ store: { kv }, secure })),
    ...[
      "",
      "localhost",
      ".shop.example",
      "https://shop.example",
      "shop.example:3000",
      "192.0.2.1",
      "shop.0x1",
      "a b.example",
      "x; Path=/a.b",
      `${"x".repeat(64)}.example`,
      7,
      null,
    ].map((domain) => ({ store: { kv }, domain })),
    ...[false, "auto"].map((secure) => ({ store: { kv }, sameSite: "None", secure })),
  ]
  for (const options of wrong) assert.throws(() => session(options as SessionOptions), code, JSON.stringify(options))
})

test("a store that lacks a capability is an error at start, which names the capability", () => {
  const { kv } = memoryStore()
  const noCompare = { get: kv.get, set: kv.set, delete: kv.delete }
  const stores: ReadonlyArray<readonly [store: unknown, what: RegExp]> = [
    [undefined, /needs a store with kv, and was given undefined/],
    ["redis://127.0.0.1", /needs a store with kv, and was given a string/],
    [Promise.resolve({ kv }), /was given a promise/],
    [{ kv: noCompare }, /the kv .* has no compareAndSet\(\)/],
    [{ kv: {} }, /the kv .* has no get\(\), set\(\), delete\(\), compareAndSet\(\)/],
    [{ kv: { ...kv, delete: true } }, /the kv .* has no delete\(\)/],
    [{ kv: new Map() }, /the kv .* has no compareAndSet\(\)/],
    [kv, /needs a store with kv, and was given an object without it/],
  ]
  for (const [store, what] of stores) {
    let message = ""
    try {
      session({ store } as SessionOptions)
    } catch (error) {
      message = String(error)
      assert.is((error as FwError).code, "store")
    }
    assert.match(message, what)
  }
})

test("without the middleware, c.session is an error that says what to write", async () => {
  shop()
  const app = new App({ logger: false })
  let seen: unknown
  app.onError((c, error) => {
    seen = error
    return c.noContent()
  })
  app.get("/", (c) => c.json(200, c.session.subject))
  await app.request("/")
  assert.match(String(seen), /app\.use\(session\(\{ store \}\)\)/)
})

test("a directory can repeat the middleware of the application", async () => {
  const own = shop()
  own.app.group("/in", (group) => {
    group.use(own.sessions)
    group.get("/", (c) => {
      any(c).set("a", 1)
      return c.noContent()
    })
  })
  const answer = await own.app.request("/in")
  assert.is(answer.headers.getSetCookie().length, 1)
})

test.run()
