import { isDevelopment, site } from "#lib/site.ts"

export const title = site.name

/** The pages of the documentation that come next, which `fw dev` serves. */
const steps = [
  { name: "Routes and pages", path: "reference/routing.md" },
  { name: "Templates", path: "reference/templates.md" },
  { name: "Forms", path: "reference/forms.md" },
  { name: "Databases", path: "guides/databases.md" },
  { name: "Jobs", path: "reference/jobs.md" },
  { name: "Tests", path: "reference/testing.md" },
  { name: "All pages", path: "" },
]

template Page() {
  <section class="pt-8 pb-12 sm:pt-16 sm:pb-20">
    <h1 class="max-w-2xl text-4xl font-semibold tracking-tight text-balance sm:text-6xl">{site.name} is up and
      running.</h1>
    <p class="mt-5 max-w-xl text-lg text-muted sm:text-xl">
      You are looking at <code>app/page.tpl</code>. Change a word and save the file: the page updates.
    </p>
    <div class="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
      <a
        href="/"
        class="button button-main"
        hx-get="/"
        hx-select="#clock"
        hx-target="#clock"
        hx-swap="outerHTML"
      >Ask the server</a>
      {Clock(new Date())}
    </div>
  </section>
  <section aria-labelledby="next" class="pb-8">
    <h2 id="next" class="text-sm font-medium text-muted">Where to go from here</h2>
    <ul class="mt-4 grid gap-4 sm:grid-cols-3">
      {Step("Add a page", "npx fw generate page about") {
        Directories are URLs: this page is at <code>/about</code>.
      }}
      {Step("Add an API", "npx fw generate route users") {
        One function per method. <a href="/api/health" class="link">/api/health</a> exists already.
      }}
      {Step("Ship it", "npm run build") {
        Builds one executable file, with pages and styles inside.
      }}
    </ul>
    {Documentation()}
  </section>
}

template Step(heading: string, command: string) {
  <li class="card flex flex-col p-5">
    <h3 class="font-semibold">{heading}</h3>
    <p class="mt-1 mb-4 text-muted">{children}</p>
    <pre class="command mt-auto"><code>{command}</code></pre>
  </li>
}

/* The button above replaces only this element. */
template Clock(now: Date) {
  <p id="clock" role="status" class="text-muted">
    Its clock says
    <time
      datetime={now.toISOString()}
      class="font-medium text-ink tabular-nums"
    >{now.toISOString().slice(11, 19)} UTC</time>
  </p>
}

/* Only `fw dev` serves the documentation, so other servers show where it is. */
template Documentation() {
  {if (isDevelopment) {
    <nav aria-label="Documentation" class="mt-6">
      <ul class="flex flex-wrap gap-x-6 gap-y-2">
        {for (const { name, path } of steps) {
          <li><a href={`/__fw/docs/${path}`} class="link inline-block py-1">{name}</a></li>
        }}
      </ul>
    </nav>
    <p class="mt-4 text-muted">
      <a href="/__fw/" class="link">What each request did</a>, the jobs and the mails are at
      <code>/__fw/</code>.
    </p>
  } else {
    <p class="mt-6 text-muted">
      The documentation is in <code>node_modules/fw/docs</code>, one page per topic. With
      <code>npm run dev</code>, this page links to it.
    </p>
  }}
  <p class="mt-4 text-muted">
    <code>AGENTS.md</code> has the rules of this project on one page, for coding agents and for people.
  </p>
}
