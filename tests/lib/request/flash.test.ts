/**
 * Tests of messages for the next page: they survive a redirect, are shown once, and are not affected by broken
 * cookies.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"

function shop(): App {
  const app = new App({ logger: false })
  app.post("/save", (c) => {
    c.flash("Saved <b>")
    c.flash("Zwölf ✓; done")
    return c.redirect(303, "/")
  })
  app.post("/add", (c) => {
    c.flash("more")
    return c.redirect(303, "/")
  })
  app.get("/", (c) => c.json(200, c.flashed()))
  app.get("/twice", (c) => c.json(200, [c.flashed(), c.flashed()]))
  app.get("/same", (c) => {
    c.flash("now")
    return c.json(200, c.flashed())
  })
  app.get("/other", (c) => c.string(200, "other"))
  app.post("/text", async (c) => {
    c.flash(await c.text())
    return c.noContent()
  })
  app.get("/wrong", (c) => {
    c.flash(7 as never)
    return c.noContent()
  })
  return app
}

/** Returns the cookies that a browser has after these answers, in order. */
function jar(...answers: readonly Response[]): string {
  const kept = new Map<string, string>()
  for (const line of answers.flatMap((answer) => answer.headers.getSetCookie())) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) kept.delete(name)
    else kept.set(name, value)
  }
  return [...kept].map(([name, value]) => `${name}=${value}`).join("; ")
}

/** Collects the errors that an app's handlers throw. */
function collectBugs(app: App): unknown[] {
  const seen: unknown[] = []
  app.onError((_, error) => {
    seen.push(error)
    return undefined as never
  })
  return seen
}

const flash = suite("flash")

flash("messages survive a redirect and a page that does not show them, and are shown once", async () => {
  const app = shop()
  const saved = await app.request("/save", { method: "POST", redirect: "manual" })
  const added = await app.request("/add", {
    method: "POST",
    headers: { cookie: jar(saved) },
    redirect: "manual",
  })
  const other = await app.request("/other", { headers: { cookie: jar(saved, added) } })
  const shown = await app.request("/", { headers: { cookie: jar(saved, added, other) } })
  assert.equal(await shown.json(), ["Saved <b>", "Zwölf ✓; done", "more"])
  assert.is(jar(saved, added, other, shown), "")
})

flash("the second call of c.flashed() in a request finds no messages", async () => {
  const app = shop()
  const saved = await app.request("/add", { method: "POST", redirect: "manual" })
  const shown = await app.request("/twice", { headers: { cookie: jar(saved) } })
  assert.equal(await shown.json(), [["more"], []])
})

flash("a message that is shown by the same request is not kept", async () => {
  const answer = await shop().request("/same")
  assert.equal(await answer.json(), ["now"])
  assert.is(jar(answer), "")
})

flash("without a message no cookie is set", async () => {
  assert.equal((await shop().request("/")).headers.getSetCookie(), [])
})

flash("scripts and other sites' forms do not get the cookie, and over https it is Secure", async () => {
  const attributes = async (origin: string) => {
    const answer = await shop().request(`${origin}/add`, { method: "POST", redirect: "manual" })
    return answer.headers
      .getSetCookie()
      .join()
      .replace(/^[^;]*; /, "")
  }
  assert.is(await attributes("http://shop.example"), "Path=/; HttpOnly; SameSite=Lax")
  assert.is(await attributes("https://shop.example"), "Path=/; HttpOnly; Secure; SameSite=Lax")
})

for (const forged of ["", "x", "{}", "[1]", '"a"', "null", '[["a"]]', "%5B", "[".repeat(2000), '{"__proto__":["a"]}']) {
  flash(`a forged cookie ${JSON.stringify(forged.slice(0, 20))} gives no message`, async () => {
    const answer = await shop().request("/", {
      headers: { cookie: `fw_flash=${encodeURIComponent(forged)}` },
    })
    assert.is(answer.status, 200)
    assert.equal(await answer.json(), [])
  })
}

flash("messages that no page shows do not make a request fail: only the last ones are stored", async () => {
  const app = shop()
  let cookie = ""
  for (let i = 0; i < 300; i++) {
    const body = `${i} Thank you. The form was sent.`
    const answer = await app.request("/text", { method: "POST", body, headers: { cookie } })
    assert.is(answer.status, 204)
    cookie = jar(answer)
    assert.ok(cookie.length < 3_900, String(cookie.length))
  }
  const shown = (await (await app.request("/", { headers: { cookie } })).json()) as string[]
  assert.ok(shown.length > 50, String(shown.length))
  assert.is(shown.at(-1), "299 Thank you. The form was sent.")
  assert.is(shown[0], `${300 - shown.length} Thank you. The form was sent.`)
})

for (const piece of ["x", "é", "😀", '"', "\u0000", "\ud800"]) {
  flash(`a text of ${JSON.stringify(piece)} that is too long is cut`, async () => {
    const app = shop()
    const earlier = jar(await app.request("/add", { method: "POST", redirect: "manual" }))
    for (const length of [3_700, 3_800, 4_000, 400_000]) {
      const body = piece.repeat(length)
      const given = new TextDecoder().decode(new TextEncoder().encode(body))
      const answer = await app.request("/text", { method: "POST", body, headers: { cookie: earlier } })
      assert.is(answer.status, 204)
      const shown = await app.request("/", { headers: { cookie: jar(answer) } })
      const messages = (await shown.json()) as string[]
      const text = messages.at(-1) ?? ""
      if (text === given) continue
      assert.is(messages.length, 1)
      assert.ok(text.endsWith("…") && given.startsWith(text.slice(0, -1)) && text.length > 150)
      assert.is(new TextDecoder().decode(new TextEncoder().encode(text)), text, "a character was cut in half")
    }
  })
}

flash("c.flash() with something other than a text is a bug that says why", async () => {
  const app = shop()
  const seen = collectBugs(app)
  assert.is((await app.request("/wrong")).status, 500)
  assert.match(String(seen[0]), /c\.flash\(\) takes a string, not a number/)
})

flash.run()
