import type { Context } from "fw"
import { store } from "../lib/store.ts"
import { findTheme } from "../lib/theme.ts"
import { Plus } from "./_components/icons.tpl.ts"

const themes = [
  ["auto", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const

template Layout(title: string, c: Context) {
  {const { name, maintenance } = store.settings}
  {const theme = findTheme(c.cookie("theme"))}
  <!doctype html>
  <html lang="en" data-theme={theme}>
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>{title === name ? name : `${title} · ${name}`}</title>
      <link rel="icon" href="/static/favicon.svg">
      <link rel="stylesheet" href="/static/css/output.css">
      <script src="/static/vendor/htmx-4.0.1.min.js" defer></script>
      <script src="/static/app.js" type="module"></script>
    </head>
    <body id="page" class="flex min-h-dvh flex-col bg-canvas font-sans text-ink antialiased">
      <a
        href="#main"
        class="button button-main absolute top-2 left-2 z-10 not-focus:sr-only"
      >Skip to content</a>
      <header class="mx-auto flex w-full max-w-2xl items-center justify-between gap-4 px-4 pt-5 sm:px-6 sm:pt-8">
        <a
          href="/"
          class="flex min-h-11 min-w-0 items-center gap-2.5 rounded-lg text-lg font-semibold tracking-tight"
        >
          <img src="/static/logo.svg" alt="" width="28" height="28">
          <span class="truncate">{name}</span>
        </a>
        {if (c.path !== "/tasks/new") {
          <a href="/tasks/new" class="button button-plain">{Plus()}New task</a>
        }}
      </header>
      {if (maintenance) {
        <p
          role="status"
          class="mx-auto mt-4 w-full max-w-2xl px-4 sm:px-6"
        ><span class="block rounded-lg bg-warn-soft px-4 py-3 text-warn">Closed for maintenance: you can read
          your tasks but not change them.</span></p>
      }}
      <div id="notice" role="alert" class="sticky top-2 z-10 mx-auto w-full max-w-2xl px-4 sm:px-6"></div>
      <template id="lost"><p class="mt-4 rounded-lg border border-danger/30 bg-danger-soft px-4 py-3 font-medium text-danger shadow-lg">That
        did not reach the server. Look at your connection, then try again.</p></template>
      <p id="live" role="status" class="sr-only"></p>
      <main
        id="main"
        tabindex="-1"
        class="mx-auto w-full max-w-2xl flex-1 px-4 py-6 sm:px-6 sm:py-8"
      >{children}</main>
      <footer class="mx-auto flex w-full max-w-2xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 pt-4 pb-8 text-sm text-muted sm:px-6">
        <nav aria-label="More" class="flex gap-5">
          <a href="/api/tasks/export" class="rounded-sm py-2 hover:text-ink hover:underline">Export</a>
          <a href="/api/help" class="rounded-sm py-2 hover:text-ink hover:underline">API</a>
          <a href="/static/about/" class="rounded-sm py-2 hover:text-ink hover:underline">About</a>
        </nav>
        <form
          method="post"
          action="/preferences"
          aria-label="Theme"
          class="flex rounded-lg border border-line p-0.5"
        >
          <input type="hidden" name="back" value={c.path + c.search}>
          {for (const [value, label] of themes) {
            <button
              name="theme"
              value={value}
              aria-pressed={value === theme}
              class="min-h-9 cursor-pointer rounded-md px-3 hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-ink"
            >{label}</button>
          }}
        </form>
      </footer>
    </body>
  </html>
}
