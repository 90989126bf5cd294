import type { Context } from "fw"

template Layout(title: string, c: Context) {
  <!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>{title} · Auth</title>
      <link rel="icon" href="/static/favicon.svg">
      <link rel="stylesheet" href="/static/css/output.css">
    </head>
    <body id="page" class="flex min-h-dvh flex-col bg-canvas font-sans text-ink antialiased">
      <a
        href="#main"
        class="button button-main absolute top-2 left-2 z-10 not-focus:sr-only"
      >Skip to content</a>
      <header class="mx-auto w-full max-w-3xl px-4 pt-6 sm:px-6">
        <a
          href="/"
          aria-current={c.path === "/" ? "page" : null}
          class="inline-flex min-h-11 items-center gap-2.5 rounded-lg text-lg font-semibold tracking-tight"
        >
          <img src="/static/favicon.svg" alt="" width="28" height="28">Auth
        </a>
      </header>
      <main
        id="main"
        tabindex="-1"
        class="mx-auto w-full max-w-3xl flex-1 px-4 py-6 focus:outline-none sm:px-6 sm:py-10"
      >{children}</main>
    </body>
  </html>
}
