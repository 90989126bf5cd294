import { raw } from "fw/html"
import { findNeighbours, type Page } from "#lib/docs.ts"
import type { Heading, RenderedPage } from "#lib/markdown.ts"
import { Contents } from "./contents.tpl.ts"

template Document(page: Page, { html, headings }: RenderedPage) {
  {const { previous, next } = findNeighbours(page)}
  {const main = headings.filter(({ depth }) => depth <= 3)}
  <div class="document">
    {Contents(page)}
    {if (main.length > 1) {
      {PageOutline(main)}
    }}
    <main id="main" tabindex="-1">
      <article>{raw(html)}</article>
      <nav class="neighbours" aria-label="Next pages">
        {if (previous) { <a href={previous.href} rel="prev"><small>Previous</small> {previous.name}</a> }}
        {if (next) { <a href={next.href} rel="next"><small>Next</small> {next.name}</a> }}
      </nav>
      <p class="source"><a href={page.source}>This page as Markdown</a></p>
    </main>
  </div>
}

template PageOutline(headings: readonly Heading[]) {
  <details class="outline">
    <summary>On this page</summary>
    <ul>
      {for (const { id, text, depth } of headings) {
        <li class={depth === 3 && "deeper"}><a href={`#${id}`}>{text}</a></li>
      }}
    </ul>
  </details>
}
