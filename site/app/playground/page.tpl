import type { Context } from "fw"
import { asset } from "#assets"
import { examples } from "#lib/examples.ts"

export const title = "Playground"
export const prerender = true

/** The example that is open at first. It is in the page already, so that nothing moves when the script has loaded. */
const [first] = examples

template Page(c: Context) {
  {void c.set("description", "Change an fw app and run it in this page, without a server.")}
  <main id="main" class="playground" tabindex="-1">
    <h1>Playground</h1>
    <div class="bar">
      <label for="example">Example</label>
      <select id="example">
        {for (const { name } of examples) { <option>{name}</option> }}
      </select>
      <button
        type="button"
        class="button"
        id="run"
        data-worker={asset("/assets/playground/worker.js")}
        data-compiler={asset("/assets/playground/esbuild.wasm")}
        disabled
      >Run</button>
      <span id="about">{first?.about}</span>
    </div>
    <noscript><p>The playground needs JavaScript: it compiles and runs the app in this page. <a href="/docs/guides/tutorial">The tutorial</a> shows the same on your machine.</p></noscript>
    <div class="panes">
      <div class="pane">
        <div class="tabs" id="tabs" role="tablist" aria-label="Files"></div>
        <textarea
          id="editor"
          aria-label="File"
          spellcheck="false"
          autocapitalize="off"
          autocomplete="off"
        >{Object.values(first?.files ?? {})[0]}</textarea>
      </div>
      <div class="pane">
        <form id="go">
          <input
            id="address"
            value={first?.path}
            name="address"
            class="address"
            aria-label="Address in the app"
            autocomplete="off"
            spellcheck="false"
          >
          <button class="button">Open</button>
        </form>
        <p class="answer" id="answer" role="status">Run loads the compiler, 4 MB, and keeps everything in this page.</p>
        <iframe
          id="preview"
          title="What the app answers"
          src="/playground/preview"
          sandbox="allow-scripts allow-forms"
        ></iframe>
        <div class="problem" id="problem" role="alert" hidden></div>
        <pre class="log" id="log" tabindex="0" aria-label="What the app has written" hidden></pre>
      </div>
    </div>
    <script type="application/json" id="examples">{{examples}}</script>
    <script type="module" src="/assets/playground.ts"></script>
  </main>
}
