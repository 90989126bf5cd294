import { raw } from "fw/html"
import type { Context } from "fw"
import { highlight } from "#lib/highlight.ts"
import { version } from "#lib/site.ts"

const about =
  "A web framework for TypeScript: pages, APIs and live updates on the standard Request and Response, and one command."

const commands = `npx ./fw-${version}.tgz new shop
cd shop && npm run dev
`

const page = `// app/hello/page.tpl
import type { Context } from "fw"

template Page(c: Context) {
  <h1>Hello, {c.query("name") || "you"}!</h1>
}
`

const api = `// app/api/users/[id]/route.ts
import type { Context } from "fw"

/** Renames a user. */
export async function Put(c: Context<"id">) {
  const { name } = await c.bind<{ /** @minLength 1 */ name: string }>()
  return c.json(200, { id: c.param("id"), name })
}
`

const facts = [
  ["Pages", "Templates with types, layouts, forms that show their mistakes, htmx, blocks that arrive later."],
  ["APIs", "Bodies and answers checked against their types; an OpenAPI document, an explorer, a typed client."],
  ["Accounts", "Passwords with reset mails, passkeys, OpenID Connect, tokens, API keys, roles: fw generate auth."],
  ["Live", "Event streams that survive a lost connection, WebSockets, state in SQLite, Redis or PostgreSQL."],
  ["Safety", "One spelling of each path, limits for every body, CSRF protection and a policy from the first day."],
  ["Deployment", "One executable, an image, or a bundle for Node, Bun, Deno, workers and Lambda."],
] as const

export const title = "fw"
export const prerender = true

template Page(c: Context) {
  {void c.set("description", about)}
  <main id="main" class="front" tabindex="-1">
    <div class="intro">
      <div>
        <h1>A web framework for TypeScript</h1>
        <p class="lead">Pages, APIs and live updates on the standard <code>Request</code> and <code>Response</code>, and
          one command that creates, runs, checks and builds a project. No dependencies.</p>
        {await Code(commands, "sh")}
        <p class="actions">
          <a class="button" href="/docs/guides/tutorial">Tutorial</a>
          <a href="/playground">Try it in the browser</a>
          <a href="/docs">All pages</a>
        </p>
      </div>
      <picture>
        <source media="(prefers-color-scheme: dark)" srcset="/static/pictures/edit-dark.webp">
        <img
          src="/static/pictures/edit.webp"
          width="960"
          height="600"
          alt="A page after an edit with a mistake: a message over the page says that an end tag closes nothing, shows the lines of app/page.tpl, and says how to fix it"
        >
      </picture>
    </div>
    <div class="facts">
      {for (const [name, text] of facts) { <div><h2>{name}</h2><p>{text}</p></div> }}
    </div>
    <div class="intro">
      <div><h2>A page</h2>{await Code(page, "tpl")}</div>
      <div><h2>An API</h2>{await Code(api, "ts")}</div>
    </div>
    <p>Do you know another framework? Look at what is the same and what will surprise you, coming from
      <a href="/docs/guides/coming-from/express">Express</a>, <a href="/docs/guides/coming-from/hono">Hono</a>,
      <a href="/docs/guides/coming-from/nextjs">Next.js</a>, <a href="/docs/guides/coming-from/sveltekit">SvelteKit</a>,
      <a href="/docs/guides/coming-from/rails">Rails</a>,
      <a href="/docs/guides/coming-from/laravel">Laravel</a>
      or <a href="/docs/guides/coming-from/others">others</a>.</p>
  </main>
}

template Code(text: string, language: string) {
  <pre tabindex="0"><code>{raw(await highlight(text, language))}</code></pre>
}
