import type { Context } from "fw"
import { Contents } from "./_components/contents.tpl.ts"

export const title = "Not found"

template NotFound(c: Context) {
  {void c.set("description", "There is no such page.")}
  <div class="document">
    {Contents()}
    <main id="main" tabindex="-1">
      <h1>There is no such page</h1>
      <p>It may have moved. <a href="/docs">All pages</a> has every page with a sentence about it.</p>
    </main>
  </div>
}
