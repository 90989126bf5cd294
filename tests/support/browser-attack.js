// Runs inside the pages of the XSS test: functions that report when injected code calls them, a description of the
// elements, and everything that a visitor could do to them. It runs in every frame before the scripts of the page.

;(() => {
  // Nothing on the page can replace these functions, not even elements with their names (DOM clobbering).
  const define = (name, value) => Object.defineProperty(window, name, { value, writable: false, configurable: false })
  for (const name of ["alert", "confirm", "prompt", "print", "fw_pwned", "msgbox"]) {
    define(name, () => console.log(`fw-pwned by ${name} in ${location.href}`))
  }

  /**
   * Returns the elements of each section with the names of their attributes, and the same for elements outside of
   * sections.
   */
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
  /** The elements on which these attributes are URLs. */
  const elementsOf = new Map([
    ["background", /^(?:body|table|thead|tbody|tfoot|tr|t[dh])$/],
    ["cite", /^(?:blockquote|q|del|ins)$/],
    ["data", /^object$/],
    ["poster", /^video$/],
  ])
  const safe = /^(?:https?|mailto|tel|sms|about):$/
  const image = /^data:image\/[\w.+-]+[;,]/

  /** Returns URLs, as the browser reads them, that would run code. */
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

  /**
   * Returns the elements that listen through an attribute of any name, because a page without scripts can only
   * listen in this way.
   */
  const listeners = () =>
    [...document.querySelectorAll("*")].filter((element) =>
      Element.prototype.getAttributeNames.call(element).some((name) => /^on/i.test(name)),
    )

  /** Sends to every listening element each event that attacks listen to. */
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
      // A javascript: URL runs in its own task, and the next navigation would cancel it.
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
      // The prototype's method is used, because a control may be called `requestSubmit`.
      const submit = () => HTMLFormElement.prototype.requestSubmit.call(form)
      await act(`form ${attribute(form, "action")}`, submit)
    }
    for (const other of [...listeners(), ...document.querySelectorAll("math [href], svg [href]")]) click(other)
    await turn()
    frame.remove()
  }

  /** Parses the serialized page again, as scripts do with innerHTML. */
  function rewrite() {
    document.body.innerHTML = new DOMParser().parseFromString(document.body.innerHTML, "text/html").body.innerHTML
  }

  define("fwTest", { shapes, unsafeUrls, fireAll, clickAll, rewrite })
})()
