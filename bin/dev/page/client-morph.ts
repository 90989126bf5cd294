/**
 * The part of the script in pages that updates a page in place. It compares the HTML that the server sent for the
 * page with the HTML that it sends now, and makes only these changes. So everything that the user or the page's
 * scripts have changed stays.
 */

/**
 * Statements that define `morph(before, after)` for two documents, and `readPage(text)`. `morph` throws if it does
 * not find the node to change, because a script has removed or replaced it.
 */
export const morphScript = `
  const splitWords = (text) => (text || "").split(/\\s+/).filter(Boolean)
  const isHTMX = (name) => /^(?:data-)?hx-/.test(name)
  /** Elements that htmx must process: new ones, and those whose htmx attributes changed. */
  let newElements, changedElements

  /**
   * With Trusted Types, a page accepts HTML only from a policy. The document that this policy creates runs no
   * scripts.
   */
  const htmlPolicy = window.trustedTypes && (() => {
    try {
      return trustedTypes.createPolicy("fw-dev", { createHTML: (text) => text })
    } catch {
      // The page allows only policies with certain names, so it is loaded again after a save.
    }
  })()

  /** Parses the HTML of a page, and puts deferred blocks into their places. */
  function readPage(text) {
    const page = new DOMParser().parseFromString(htmlPolicy ? htmlPolicy.createHTML(text) : text, "text/html")
    putBlocks(page)
    // isEqualNode() does not compare the content of templates.
    for (const one of page.querySelectorAll("template")) one.setAttribute("data-fw-content", one.innerHTML)
    return page
  }

  /** Puts deferred blocks into their places, as the page's own script does. */
  function putBlocks(page) {
    const find = (name, id) => page.querySelector("template[data-fw-" + name + (id ? '="' + id + '"]' : "]"))
    for (let done; (done = find("done")); done.remove()) {
      const [block, from, to] = ["block", "from", "to"].map((name) => find(name, done.dataset.fwDone))
      if (block && from && to) {
        while (from.nextSibling !== to) from.nextSibling.remove()
        from.after(block.content)
      }
      for (const one of [block, from, to]) one && one.remove()
    }
    const shell = find("shell")
    shell && shell.remove()
  }

  /** Returns how similar two nodes are; 0 if one cannot replace the other. */
  function measureLikeness(a, b) {
    if (a.nodeName !== b.nodeName) return 0
    if (a.nodeType !== 1) return a.data !== b.data ? 1 : a.data.trim() ? 9 : 2
    const id = a.getAttribute("id")
    if (id && id !== b.getAttribute("id")) return 0
    const names = a.getAttributeNames()
    const same = names.filter((name) => a.getAttribute(name) === b.getAttribute(name)).length
    return 1 + (id ? 9 : 0) + (3 * same) / (names.length || 1) + (a.isEqualNode(b) ? 9 : 0)
  }

  /**
   * Pairs the nodes of two lists. First those in the same order, with the greatest similarity, then those that have
   * moved.
   */
  function align(a, b, moved = new Set()) {
    const pairs = new Map()
    let start = 0
    let [endA, endB] = [a.length, b.length]
    while (start < endA && start < endB && a[start].isEqualNode(b[start])) pairs.set(a[start], b[start++])
    while (endA > start && endB > start && a[endA - 1].isEqualNode(b[endB - 1])) pairs.set(a[--endA], b[--endB])
    const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)]
    // Long lists without common nodes are paired by position, which is faster.
    if (restA.length * restB.length > 20000) {
      restA.forEach((node, i) => restB[i] && measureLikeness(node, restB[i]) && pairs.set(node, restB[i]))
      return pairs
    }
    const scores = restA.map((one) => restB.map((other) => measureLikeness(one, other)))
    const best = [...restA, 0].map(() => new Float64Array(restB.length + 1))
    for (let i = restA.length; i-- > 0; )
      for (let j = restB.length; j-- > 0; )
        best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], scores[i][j] && scores[i][j] + best[i + 1][j + 1])
    for (let i = 0, j = 0; i < restA.length && j < restB.length; ) {
      if (scores[i][j] && best[i][j] === scores[i][j] + best[i + 1][j + 1]) pairs.set(restA[i++], restB[j++])
      else if (best[i][j] === best[i + 1][j]) i++
      else j++
    }
    const pairedNodes = new Set(pairs.values())
    restA.forEach((one, i) => {
      const to = pairs.has(one) || one.nodeType !== 1 ? -1 : restB.findIndex((other, j) => scores[i][j] > 9 && !pairedNodes.has(other))
      if (to < 0) return
      pairedNodes.add(restB[to])
      moved.add(one)
      pairs.set(one, restB[to])
    })
    return pairs
  }

  /** Changes only the part of a text that differs, so that a selection outside of it stays. */
  function setText(node, text) {
    const { data } = node
    const maxLength = Math.min(data.length, text.length)
    let [start, end] = [0, 0]
    while (start < maxLength && data[start] === text[start]) start++
    while (end < maxLength - start && data.at(-1 - end) === text.at(-1 - end)) end++
    node.replaceData(start, data.length - start - end, text.slice(start, text.length - end))
  }

  /** Sets the attributes that the server changed. Classes that scripts have added stay. */
  function setAttributes(before, after, live) {
    let hasHTMXChange = false
    for (const name of new Set([...before.getAttributeNames(), ...after.getAttributeNames()])) {
      const [oldValue, newValue] = [before.getAttribute(name), after.getAttribute(name)]
      if (oldValue === newValue) continue
      hasHTMXChange ||= isHTMX(name)
      if (name === "class") {
        live.classList.remove(...splitWords(oldValue))
        live.classList.add(...splitWords(newValue))
        if (newValue === null && live.classList.length === 0) live.removeAttribute(name)
      } else if (newValue === null) live.removeAttribute(name)
      // setAttribute() would refuse names such as @click.
      else live.setAttributeNode(after.getAttributeNode(name).cloneNode())
    }
    if (hasHTMXChange) changedElements.push(live)
  }

  /** Imports a node that the server added into the page. */
  function makeNode(node) {
    const copy = document.importNode(node, true)
    if (copy.nodeType !== 1) return copy
    for (const one of [copy, ...copy.querySelectorAll("template")]) one.removeAttribute("data-fw-content")
    newElements.push(copy)
    return copy
  }

  /** The stylesheets that are loading, by the stylesheet that each replaces. */
  const swaps = new Map()

  /** Loads a stylesheet that replaces another one. The old one stays until the new one is loaded. */
  function swapLink(link, next) {
    if (swaps.has(link)) swaps.get(link).remove()
    swaps.set(link, next)
    next.onload = next.onerror = () => {
      swaps.delete(link)
      link.remove()
    }
    link.after(next)
  }

  function mergeChildren(before, after, live) {
    const oldNodes = [...before.childNodes]
    const moved = new Set()
    const newNodesByOld = align(oldNodes, [...after.childNodes], moved)
    const liveNodesByOld = align(oldNodes, [...live.childNodes])
    const oldNodesByNew = new Map([...newNodesByOld].map(([oldNode, newNode]) => [newNode, oldNode]))
    for (const oldNode of oldNodes) if (!newNodesByOld.has(oldNode) && liveNodesByOld.has(oldNode)) liveNodesByOld.get(oldNode).remove()
    let last = null
    const put = (node) => {
      const to = last ? last.nextSibling : live.firstChild
      // moveBefore() keeps the focus of an element, and the document of a frame.
      if (node.isConnected && live.moveBefore) live.moveBefore(node, to)
      else live.insertBefore(node, to)
    }
    for (const newNode of after.childNodes) {
      const oldNode = oldNodesByNew.get(newNode)
      // A script may have moved an element with an id to another place.
      let node = oldNode && (liveNodesByOld.get(oldNode) || (oldNode.id && document.getElementById(oldNode.id)))
      if (!oldNode) put((node = makeNode(newNode)))
      else if (!node) {
        if (oldNode.isEqualNode(newNode) || (oldNode.nodeType !== 1 && !(oldNode.data + newNode.data).trim())) continue
        throw new Error("the changed part is not in the page")
      } else {
        if (node.parentNode === live && (moved.has(oldNode) || (last && !(last.compareDocumentPosition(node) & 4)))) put(node)
        merge(oldNode, newNode, node)
      }
      if (node.parentNode === live) last = node
    }
  }

  function merge(before, after, live) {
    if (before.isEqualNode(after)) return
    const name = before.localName
    if (!name) return setText(live, after.data)
    // If scripts are enabled, the content of noscript is text.
    if (name === "noscript" || name === "script") return
    if (name === "link") return swapLink(live, makeNode(after))
    if (name === "template") return live.content.replaceChildren(...document.importNode(after.content, true).childNodes)
    setAttributes(before, after, live)
    mergeChildren(before, after, live)
  }

  function morph(before, after) {
    ;[newElements, changedElements] = [[], []]
    const focused = document.activeElement
    const { selectionStart, selectionEnd } = focused || {}
    merge(before.documentElement, after.documentElement, document.documentElement)
    if (focused && focused.isConnected && focused !== document.activeElement) {
      focused.focus({ preventScroll: true })
      if (selectionStart != null) focused.setSelectionRange(selectionStart, selectionEnd)
    }
    const { htmx } = window
    if (!htmx || !htmx.process) return
    for (const one of changedElements) htmx.process(one, true)
    for (const one of newElements) one.isConnected && htmx.process(one)
  }
`
