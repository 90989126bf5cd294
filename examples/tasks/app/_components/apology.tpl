// The content of the error pages app/not-found.tpl and app/error.tpl.
import type { Context } from "fw"
import { isFragment } from "../../lib/pages.ts"

template Apology(c: Context, status: number, heading: string, text: string) {
  {if (showAsNotice(c)) {
    <p class="mt-4 rounded-lg border border-danger/30 bg-danger-soft px-4 py-3 font-medium text-danger shadow-lg">{heading}.
      {text}</p>
  } else {
    <div class="py-12 text-center sm:py-20">
      <p class="text-sm font-medium tracking-widest text-muted">{status}</p>
      <h1 class="mt-2 text-3xl font-semibold tracking-tight">{heading}</h1>
      <p class="mx-auto mt-3 max-w-md text-balance text-muted [overflow-wrap:anywhere]">{text}</p>
      <a href="/" class="button button-main mt-8">Back to the tasks</a>
    </div>
  }}
}

/** Makes htmx keep the page and show the error in the layout's notice. Returns false without htmx. */
function showAsNotice(c: Context): boolean {
  if (!isFragment(c)) return false
  c.setHeader("HX-Retarget", "#notice")
  c.setHeader("HX-Reswap", "innerHTML")
  c.setHeader("HX-Replace-Url", "false")
  return true
}
