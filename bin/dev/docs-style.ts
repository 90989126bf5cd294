/** The style of the documentation under `fw dev`. */
export const docsStyle = `
:root { color-scheme: light dark; --text: #1d2025; --soft: #5a6070; --back: #fff; --box: #f4f5f7; --line: #d9dce3;
  --link: #0b57b0; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ec; --soft: #a3aab8; --back: #16181d; --box: #20242c;
  --line: #3a3f4b; --link: #7cb8ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .75rem 1rem;
  border-bottom: 1px solid var(--line); }
header form { display: flex; gap: .5rem; margin-left: auto; }
input, button { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--soft); border-radius: 4px;
  padding: .3rem .6rem; min-width: 0; min-height: 2.25rem; }
a { color: var(--link); } header a { display: inline-block; padding: .25rem 0; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
main, nav { padding: 1rem; overflow-wrap: anywhere; } main:focus { outline: none; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.25rem 0 .75rem; } h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
:target { scroll-margin-top: 1rem; }
code { font: .875em ui-monospace, monospace; background: var(--box); border-radius: 3px; padding: .1em .3em; }
pre { overflow: auto; padding: .8rem 1rem; background: var(--box); border: 1px solid var(--line); border-radius: 6px;
  line-height: 1.5; } pre code { padding: 0; background: none; }
.table { overflow-x: auto; } table { border-collapse: collapse; min-width: min(30rem, 100%); overflow-wrap: break-word; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
img { max-width: 100%; height: auto; } blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav { border-top: 1px solid var(--line); } nav h2 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; } nav a { display: block; padding: .25rem 0; }
nav [aria-current] { font-weight: 600; color: var(--text); }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 50rem) 1fr; grid-template-rows: auto 1fr; column-gap: 2rem; }
  header { grid-column: 1 / -1; } nav { grid-column: 1; grid-row: 2; border: 0; border-right: 1px solid var(--line); }
  main { grid-column: 2; grid-row: 2; padding: 1rem 1rem 4rem; }
}
`
