import { site } from "#lib/site.ts"

template Layout(title: string) {
  <!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="description" content={site.description}>
      <title>{title === site.name ? title : `${title} · ${site.name}`}</title>
      <link rel="icon" href="/static/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/static/css/output.css">
      <script src="/static/vendor/htmx-4.0.1.min.js" defer></script>
    </head>
    <body id="page" class="flex min-h-dvh flex-col bg-canvas font-sans text-ink antialiased">
      <a
        href="#main"
        class="button button-main absolute top-2 left-2 z-10 not-focus:sr-only"
      >Skip to content</a>
      <header class="mx-auto flex w-full max-w-5xl items-center justify-between gap-4 px-5 py-5 sm:px-8">
        <a href="/" class="flex min-h-11 items-center gap-3 rounded-lg text-lg font-semibold tracking-tight">
          <img src="/static/favicon.svg" alt="" width="28" height="28">
          {site.name}
        </a>
      </header>
      <main
        id="main"
        tabindex="-1"
        class="mx-auto w-full max-w-5xl flex-1 px-5 outline-none sm:px-8"
      >{children}</main>
      <footer class="mx-auto w-full max-w-5xl px-5 pt-10 pb-8 text-sm text-muted sm:px-8">
        Made with fw. This layout is <code>app/layout.tpl</code>.
      </footer>
    </body>
  </html>
}
