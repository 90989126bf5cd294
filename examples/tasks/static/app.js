// Two things that htmx leaves to the page: a message when no response arrives, and keeping the keyboard
// focus.
const getNotice = () => document.getElementById("notice")

document.addEventListener("htmx:before:request", () => getNotice().replaceChildren())

// This is only for requests without a response, because the server's own responses contain their message.
document.addEventListener("htmx:error", ({ detail }) => {
  if (detail.ctx?.response) return
  const message = document.getElementById("lost").content.cloneNode(true)
  getNotice().replaceChildren(message)
})

// The pressed button may have been removed, and the focus with it. Then the next Tab would start at the top of the
// page.
document.addEventListener("htmx:after:swap", () => {
  if (document.activeElement === document.body)
    document.getElementById("place")?.focus({ preventScroll: true })
})
