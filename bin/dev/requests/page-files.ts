/** The paths, the style and the script of the request page at `/__fw/`. */

/** The paths that belong to the page. */
export const inspectorPaths = {
  page: "/__fw/",
  jobs: "/__fw/jobs",
  mail: "/__fw/mail",
  docs: "/__fw/docs/",
  script: "/__fw/inspector.js",
  /** The requests as JSON. Actions on a request have paths below this one. */
  requests: "/__fw/requests",
} as const

/** The style. A narrow screen shows either the list or the open request. */
export const pageStyle = `:root { color-scheme: light dark; --text: light-dark(#16181d, #eff1f4); --back: light-dark(#f7f8fa, #101216);
  --box: light-dark(#fff, #181b21); --line: light-dark(#c6cad2, #3a404a); --dim: light-dark(#545b69, #a8aeba);
  --link: light-dark(#1d4ed8, #9db8ff); --bad: light-dark(#b42318, #ff9b94); --good: light-dark(#17663a, #7fd6a3); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: .75rem 1rem; border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 1rem; }
a { color: var(--link); } nav a[aria-current] { color: var(--text); text-decoration: none; font-weight: 600; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; overflow-wrap: anywhere; } main > h1 { padding: 1rem 1rem 0; margin: 0; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .5rem 0; overflow-wrap: anywhere; } small { color: var(--dim); }
.one { max-width: 46rem; margin: 0 auto; padding: 1rem; }
main > section { padding: 0 1rem; }
.both { display: grid; grid-template-columns: minmax(18rem, 1fr) minmax(0, 2.5fr); }
#list, #detail { padding: 1rem; min-width: 0; } #list { border-right: 1px solid var(--line); } .back { display: none; }
#list ol { list-style: none; margin: .5rem -1rem; padding: 0; }
#list li a { display: block; padding: .5rem 1rem; color: var(--text); text-decoration: none; border-bottom: 1px solid var(--line); }
#list li a:hover, #list a[aria-current] { background: var(--box); } .url { overflow-wrap: anywhere; } #list small { display: block; }
@media (scripting: none) { button[data-copy] { display: none; } }
button { font: inherit; padding: .3rem .8rem; cursor: pointer; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
pre { overflow: auto; max-height: 30rem; margin: .5rem 0; padding: .6rem; background: var(--back); border: 1px solid var(--line); border-radius: .25rem;
  font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; } th { text-align: left; color: var(--dim); font-weight: 400; padding: .35rem .5rem; }
td { vertical-align: top; padding: .35rem .5rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; } td + td, th + th { width: 7rem; }
.bar { display: block; height: .4rem; min-width: 2px; background: var(--link); border-radius: .2rem; }
article, .mail { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0; background: var(--box); } article > h2 { margin-top: 0; }
.problem pre { white-space: pre; }
.mail summary { cursor: pointer; } .mail h3 { display: inline; } .mail dl { margin: .75rem 0; } .mails { max-width: 84rem; }
.views { display: flex; flex-wrap: wrap; gap: 1rem; margin: .75rem 0; } .phone { width: 390px; max-width: 100%; }
.desktop { flex: 1 1 40rem; min-width: 0; overflow-x: auto; } .desktop iframe { min-width: 40rem; }
iframe { display: block; width: 100%; height: 40rem; border: 1px solid var(--line); background: #fff; color-scheme: light; }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); } .notice { padding: .5rem .75rem; border-left: 4px solid var(--good); background: var(--box); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 48rem) { .both { display: block; } #list { border: 0; } .open #list { display: none; } .open .back { display: block; margin-top: 0; }
  .both:not(.open) #detail { display: none; } dl { display: block; } dd { margin: 0 0 .5rem; } td + td, th + th { width: 5.5rem; } }`

/**
 * The script: it updates the page every second, copies texts, and opens positions in the editor. Without the script, the page
 * shows the same data.
 */
export const inspectorScript = `(() => {
  const copy = async (button) => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent)
    button.textContent = "Copied"
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy], button[data-place]")
    if (button?.dataset.copy) copy(button)
    else if (button) fetch("/__fw/open", { method: "POST", body: button.dataset.place })
  })
  const listParts = () => [...document.querySelectorAll("#list, #detail, #jobs, #mails")]
  // The parts as the server sent them last. A user may have opened or selected something in them.
  const sent = new Map(listParts().map((part) => [part.id, part.innerHTML]))

  /** Loads the page again and replaces the parts that have changed. A part with the focus stays as it is, except for a link of the list. */
  async function update() {
    const answer = await fetch(location.href)
    const next = new DOMParser().parseFromString(await answer.text(), "text/html")
    const { activeElement } = document
    for (const old of listParts()) {
      const replacement = next.getElementById(old.id)
      const href = old.id === "list" && old.contains(activeElement) && activeElement.getAttribute("href")
      if (replacement.innerHTML === sent.get(old.id) || (old.contains(activeElement) && !href)) continue
      sent.set(old.id, replacement.innerHTML)
      old.replaceWith(replacement)
      if (href) replacement.querySelector('a[href="' + CSS.escape(href) + '"]')?.focus({ preventScroll: true })
    }
  }

  async function follow() {
    // The request fails while fw dev has ended or is starting again.
    if (!document.hidden) await update().catch(() => {})
    setTimeout(follow, 1000)
  }
  setTimeout(follow, 1000)
})()
`
