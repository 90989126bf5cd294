import type { Context } from "fw"
import { version, versions } from "#lib/site.ts"

template Layout(title: string, c: Context) {
  {const description = c.getString("description")}
  <!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      {/* A static host sends no headers of ours, so the policy stands in the page. */}
      <meta
        http-equiv="content-security-policy"
        content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'"
      >
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>{title === "fw" ? "fw: a web framework for TypeScript" : `${title} · fw`}</title>
      <meta name="description" content={description}>
      <link rel="icon" href="/static/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/assets/site.css">
      <script src="/assets/theme.ts"></script>
      <script type="module" src="/assets/site.ts"></script>
    </head>
    <body>
      <a class="skip" href="#main">Skip to content</a>
      <header class="top">
        <a class="home" href="/"><img src="/static/favicon.svg" alt="" width="24" height="24"> fw</a>
        <details class="versions">
          <summary aria-label={`Version ${version}`}>{version}</summary>
          <ul>
            {for (const { name, href } of versions) {
              <li><a href={href}>{name}{if (name === version) { (this one)}}</a></li>
            }}
          </ul>
        </details>
        <button type="button" class="search" id="search-button" hidden>Search <kbd>/</kbd></button>
        <nav aria-label="Site">
          <a href="/docs/start/new">Docs</a>
          <a href="/playground">Playground</a>
        </nav>
        <button type="button" id="theme-button" aria-label="Other colours" hidden></button>
      </header>
      {children}
      <footer class="bottom">
        <p>fw {version}, MIT licence. This site is an fw app, <code>site/</code> in the repository. For language models:
          <a href="/llms.txt">llms.txt</a>.</p>
      </footer>
      <dialog id="search" aria-label="Search">
        <input
          type="search"
          aria-label="Search the documentation"
          placeholder="Search the documentation"
          autocomplete="off"
          spellcheck="false"
        >
        <ul></ul>
        <p role="status"></p>
      </dialog>
    </body>
  </html>
}
