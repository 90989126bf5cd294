/**
 * Runs in the preview of the playground: shows the answers of the program, and passes its links and forms on to the page. The
 * frame is sandboxed, so it has an origin of its own and cannot reach the site.
 */
import { deferScript, deferScriptPath } from "../../lib/mount/defer-script.ts"
import type { PreviewContent, ProgramRequest } from "../playground/messages.ts"

{
  /** The address of the page that is shown. */
  let base = "http://localhost:3000/"

  const send = (request: Omit<ProgramRequest, "id">) => parent.postMessage(request, "*")

  /**
   * Runs the scripts of a page. Scripts in HTML that is inserted as text do not run, so each is replaced by a new
   * element.
   */
  function runScripts(selector: string): void {
    for (const old of document.querySelectorAll(selector)) {
      const script = document.createElement("script")
      for (const { name, value } of old.attributes) script.setAttribute(name, value)
      script.textContent = old.textContent
      // fw's own pages need only this one file, which puts deferred blocks into their places.
      if (old.getAttribute("src") === deferScriptPath) {
        script.removeAttribute("src")
        script.dataset.defer = ""
        script.textContent = deferScript
      }
      old.replaceWith(script)
    }
  }

  addEventListener("message", ({ data }: MessageEvent<PreviewContent>) => {
    if ("text" in data) {
      const pre = document.createElement("pre")
      pre.textContent = data.text
      document.head.replaceChildren()
      return document.body.replaceChildren(pre)
    }
    base = new URL(data.path, base).href
    if (data.isFirst) {
      document.documentElement.innerHTML = data.html
      return runScripts("script")
    }
    document.body.insertAdjacentHTML("beforeend", data.html)
    runScripts("script[data-defer]")
  })

  /** Returns the path of an address; undefined if the address is on another host. */
  function toPath(href: string): string | undefined {
    const { host, pathname, search } = new URL(href, base)
    return host === "localhost:3000" ? pathname + search : undefined
  }

  addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a")
    const href = link?.getAttribute("href")
    if (!href || href.startsWith("#")) return
    event.preventDefault()
    const path = toPath(href)
    if (path !== undefined) send({ method: "GET", path })
  })

  addEventListener("submit", (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const button = event.submitter as HTMLButtonElement | null
    const fields = new URLSearchParams()
    for (const [name, value] of new FormData(form, button)) fields.append(name, String(value))
    const method = (button?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get").toUpperCase()
    const path = toPath(button?.getAttribute("formaction") ?? form.getAttribute("action") ?? base)
    if (path === undefined) return
    if (method === "GET") return send({ method, path: `${path.split("?")[0]}?${fields}` })
    send({ method, path, headers: { "content-type": "application/x-www-form-urlencoded" }, body: `${fields}` })
  })
}
