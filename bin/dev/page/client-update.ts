/** The part of the script in pages that updates a page after a save, in place or by loading it again. */
import { pageHeader, reservedPaths } from "./inject.ts"

/**
 * Statements that define `update(problems)`. They use `showProblems`, `reload`, `readPage` and `morph` of the script
 * around them.
 */
export const updateScript = `
  const address = location.href.split("#")[0]
  const scriptSelector = ${JSON.stringify(`script[src="${reservedPaths.script}"]`)}
  /** The page as the server sent it last. */
  let lastPage
  let isUpdating = false
  let nextProblems

  /** Updates the page and shows problems. A call during another one waits for it; only the last such call runs. */
  async function update(problems) {
    nextProblems = problems
    if (isUpdating) return
    isUpdating = true
    while (nextProblems) {
      const shownProblems = nextProblems
      nextProblems = undefined
      try {
        const result = method === "POST" || document.documentElement.dataset.fw === "problem" ? "reload" : await refresh()
        if (result === "reload") reload()
        // Shown before reload() has an effect: the result of a form is not reloaded, and its problem may be solved
        // now.
        showProblems(Array.isArray(result) ? [result, ...shownProblems] : shownProblems)
      } catch {
        // The server cannot be reached. The page still belongs to an old program.
        knownVersion = ""
        showProblems(shownProblems)
      }
    }
    isUpdating = false
  }

  /** Returns the page as the server sent it when it was loaded; null if the server no longer stores it. */
  async function fetchSentPage() {
    const answer = await fetch(${JSON.stringify(`${reservedPaths.page}?`)} + (pageKey || ""))
    return answer.json()
  }

  /** Returns the HTML of the parts that a browser reads only when it loads a page. */
  function joinLoadedParts(page) {
    return [...page.querySelectorAll("script, base, meta[http-equiv], link:not([rel~=stylesheet])")].map((one) => one.outerHTML).join()
  }

  const findNonce = (policy) => (/'nonce-([\\w+/=-]+)'/.exec(policy) || [])[1]

  /**
   * Requests the page again and updates it. Returns "reload", the parts of a problem to show, or undefined if the
   * page is up to date.
   */
  async function refresh() {
    const headers = { accept: "text/html", ${JSON.stringify(pageHeader)}: window === top ? "document" : "iframe" }
    const [before, answer] = await Promise.all([
      lastPage || fetchSentPage(),
      fetch(address, { headers, cache: "reload", redirect: "manual" }),
    ])
    const isPage = /^text\\/html\\b/i.test(answer.headers.get("content-type"))
    // A script may have changed the address since the page was loaded.
    if (!before || !isPage || isUnanswered || note || address !== location.href.split("#")[0]) return "reload"
    const text = await answer.text()
    try {
      return change(before, answer, text)
    } catch {
      // The page forbids the change, or a script has replaced the changed node.
      return "reload"
    }
  }

  /** Changes the page to the HTML that the server sent. The result is that of refresh(). */
  function change(before, answer, text) {
    let policy = answer.headers.get("content-security-policy") || ""
    // The document keeps its policy, so only its own nonce is allowed in it.
    const nonce = findNonce(policy)
    if (nonce) [text, policy] = [text, policy].map((one) => one.replaceAll(nonce, findNonce(before.policy)))
    const isProblem = /^<!doctype html>[^<]*<html [^>]*data-fw="problem"/.test(text)
    const after = readPage(isProblem ? text.replace(/<style>[^]*?<.style>/, "") : text)
    if (isProblem)
      return [...after.querySelectorAll("[data-problem] > :not(h1, footer)")].map((part) => [part.localName === "button" ? "code" : part.localName, part.textContent])
    const [page] = performance.getEntriesByType("navigation")
    const tag = [...after.querySelectorAll(scriptSelector)].at(-1)
    const isOther = answer.status !== ((page && page.responseStatus) || 200) || policy !== before.policy
    const old = readPage(before.text)
    for (const one of [...old.querySelectorAll(scriptSelector), tag]) one && one.remove()
    if (isOther || !tag || tag.dataset.note || joinLoadedParts(old) !== joinLoadedParts(after)) return "reload"
    morph(old, after)
    lastPage = { text, policy }
    document.dispatchEvent(new Event("fw:update"))
  }
`
