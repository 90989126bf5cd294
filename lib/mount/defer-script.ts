/** The script that moves deferred blocks to their places in a page, and its path. */

/** Path of the script. Browsers keep it for a year, so the number at the end must change with the text. */
export const deferScriptPath = "/_fw/defer-1.js"

/** The start tag of `head`, after which the script is added. */
export const headStartPattern = /<head(?:\s[^<>]*)?>/i

/**
 * The script. A block is complete when the empty template after it has arrived. Browsers would run scripts with
 * `defer`, and start htmx at `DOMContentLoaded`, only after the last block. So this script does both as soon as the
 * rest of the page has arrived.
 */
export const deferScript = `(() => {
  const d = document
  const find = (name, id) => d.querySelector("template[data-fw-" + name + (id ? '="' + id + '"' : "") + "]")
  const start = (element) => window.htmx?.process?.(element)
  const put = (id) => {
    const [block, from, to] = ["block", "from", "to"].map((name) => find(name, id))
    if (block && from && to) {
      const range = d.createRange()
      range.setStartAfter(from)
      range.setEndBefore(to)
      range.deleteContents()
      const added = [...block.content.children]
      from.after(block.content)
      for (const element of added) start(element)
    }
    for (const one of [block, from, to]) one?.remove()
  }
  const early = () => {
    const inert = d.implementation.createHTMLDocument("")
    for (const old of d.querySelectorAll("script[src]")) {
      const isModule = old.type === "module"
      if (d.readyState !== "loading" || old.async || !(old.defer || isModule)) continue
      const script = d.createElement("script")
      for (const { name, value } of old.attributes) if (name !== "defer") script.setAttribute(name, value)
      if (old.nonce) script.nonce = old.nonce
      script.async = false
      old.replaceWith(script)
      inert.adoptNode(old)
    }
    start(d.body)
  }
  const look = () => {
    const shell = find("shell")
    if (shell) {
      shell.remove()
      early()
    }
    for (let done = find("done"); done; done = find("done")) {
      done.remove()
      put(done.dataset.fwDone)
    }
  }
  const watch = new MutationObserver(look)
  const loaded = ({ target }) => target.tagName === "SCRIPT" && start(d.body)
  const end = () => {
    look()
    watch.disconnect()
    d.removeEventListener("load", loaded, true)
  }
  look()
  if (d.readyState !== "loading") return
  watch.observe(d, { childList: true, subtree: true })
  d.addEventListener("load", loaded, true)
  d.addEventListener("DOMContentLoaded", end)
})()
`
