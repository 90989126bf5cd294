// What htmx leaves to a page: saying that nothing came back, and keeping the place of whoever uses a keyboard.
const notice = () => document.getElementById("notice")

document.addEventListener("htmx:before:request", () => notice().replaceChildren())

// Only for requests that got no answer. What the server answers, it words itself.
document.addEventListener("htmx:error", ({ detail }) => {
  if (detail.ctx?.response) return
  const lost = document.getElementById("lost").content.cloneNode(true)
  notice().replaceChildren(lost)
})

// The button that was pressed may be gone, and the focus with it: the next Tab would start at the top of the page.
document.addEventListener("htmx:after:swap", () => {
  if (document.activeElement === document.body)
    document.getElementById("place")?.focus({ preventScroll: true })
})
