import { contents, type Page, sections } from "#lib/docs.ts"

// A popover opens and closes without a script. On a wide screen it stands at the side, always open.
template Contents(current?: Page) {
  <button type="button" class="menu" popovertarget="contents">Menu</button>
  <nav id="contents" class="contents" aria-label="Documentation" popover>
    <p><a href={contents.href} aria-current={current === contents ? "page" : null}>{contents.name}</a></p>
    {for (const { name, pages, isFolded } of sections) {
      <details open={!isFolded || (current !== undefined && pages.includes(current))}>
        <summary>{name}</summary>
        <ul>
          {for (const page of pages) {
            <li><a href={page.href} aria-current={current === page ? "page" : null}>{page.name}</a></li>
          }}
        </ul>
      </details>
    }}
  </nav>
}
