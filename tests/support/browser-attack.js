// What the XSS test does inside a page: sentinels, the shape of its tree, and everything a visitor could
// do to its elements. It is a script that runs in every frame before anything of the page.

;(() => {
  // Nothing on the page can replace these, by clobbering neither.
  const define = (name, value) => Object.defineProperty(window, name, { value, writable: false, configurable: false })
  for (const name of ["alert", "confirm", "prompt", "print", "fw_pwned", "msgbox"]) {
    define(name, () => console.log(`fw-pwned by ${name} in ${location.href}`))
  }

  /** For each section its elements with the names of their attributes, and the same for elements outside of sections. */
  function shapes() {
    const shape = (node) => {
      const names = [...Element.prototype.getAttributeNames.call(node)]
      const inner = node instanceof HTMLTemplateElement ? node.content : node
      const children = [...inner.childNodes].filter((child) => child instanceof Element)
      return `${[node.localName, ...names].join(" ")}(${children.map(shape).join()})`
    }
    return [...document.body.children].map(shape)
  }

  const urlNames =
    /^(?:href|src|action|formaction|poster|data|background|cite|ping|xlink:href|hx-get.*|(?:sse|ws)-connect|data-(?:href|src|hx-post|ws-connect))$/
  /** The elements on which these are URLs. */
  const elementsOf = new Map([
    ["background", /^(?:body|table|thead|tbody|tfoot|tr|t[dh])$/],
    ["cite", /^(?:blockquote|q|del|ins)$/],
    ["data", /^object$/],
    ["poster", /^video$/],
  ])
  const safe = /^(?:https?|mailto|tel|sms|about):$/
  const image = /^data:image\/[\w.+-]+[;,]/

  /** URLs that would run something, as the browser reads them. */
  function unsafeUrls() {
    const found = []
    for (const element of document.querySelectorAll("*")) {
      for (const name of Element.prototype.getAttributeNames.call(element)) {
        const value = Element.prototype.getAttribute.call(element, name)
        if (elementsOf.get(name)?.test(element.localName) === false) continue
        if (!urlNames.test(name) || !URL.canParse(value, "http://127.0.0.1/")) continue
        const { protocol, href } = new URL(value, "http://127.0.0.1/")
        const isIcon = element.localName === "link" && element.getAttribute("rel") === "icon"
        const isImage = (isIcon || /^(?:img|input|image|video)$/.test(element.localName)) && image.test(href)
        if (!safe.test(protocol) && !isImage) found.push(`${element.localName} ${name} ${value}`)
      }
    }
    return found
  }

  const events =
    "mouseover mouseenter mousemove mousedown mouseup dblclick contextmenu pointerover pointerdown focus focusin blur " +
    "input change keydown keyup keypress load error begin end toggle beforetoggle scroll wheel select copy cut paste " +
    "drag drop animationstart animationend transitionend start finish show submit invalid canplay loadeddata"

  /** Elements that listen by an attribute, whatever it is called. No other way to listen needs no script. */
  const listeners = () =>
    [...document.querySelectorAll("*")].filter((element) =>
      Element.prototype.getAttributeNames.call(element).some((name) => /^on/i.test(name)),
    )

  /** Sends every element that listens each event that attacks listen to. */
  function fireAll() {
    for (const element of listeners()) {
      element.focus()
      for (const type of events.split(" ")) element.dispatchEvent(new Event(type))
    }
  }

  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name)
  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))
  const turn = () => new Promise((resolve) => setTimeout(resolve))

  /** Follows every link and submits every form, all into one frame. */
  async function clickAll() {
    const frame = document.createElement("iframe")
    frame.name = "sink"
    document.documentElement.append(frame)
    const seen = new Set()
    const act = async (key, action) => {
      if (seen.has(key)) return
      seen.add(key)
      action()
      // A javascript: URL runs in a task of its own; the next navigation would cancel it.
      await turn()
      await turn()
    }
    for (const link of document.querySelectorAll("a, area")) {
      link.setAttribute("target", "sink")
      const url = attribute(link, "href") ?? attribute(link, "xlink:href")
      await act(`link ${url}`, () => click(link))
    }
    for (const button of document.querySelectorAll("button, input")) {
      const form = document.createElement("form")
      form.target = "sink"
      const copy = button.cloneNode(true)
      copy.setAttribute("formtarget", "sink")
      form.append(copy)
      document.documentElement.append(form)
      await act(`button ${attribute(copy, "type")} ${attribute(copy, "formaction")}`, () => click(copy))
      form.remove()
    }
    for (const form of document.querySelectorAll("form")) {
      form.setAttribute("target", "sink")
      form.setAttribute("method", "get")
      // By the prototype: a control may be called `requestSubmit`.
      const submit = () => HTMLFormElement.prototype.requestSubmit.call(form)
      await act(`form ${attribute(form, "action")}`, submit)
    }
    for (const other of [...listeners(), ...document.querySelectorAll("math [href], svg [href]")]) click(other)
    await turn()
    frame.remove()
  }

  /** Parses again what the page is written as, as scripts do with innerHTML. */
  function rewrite() {
    document.body.innerHTML = new DOMParser().parseFromString(document.body.innerHTML, "text/html").body.innerHTML
  }

  define("fwTest", { shapes, unsafeUrls, fireAll, clickAll, rewrite })
})()
