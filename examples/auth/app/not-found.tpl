import type { Context } from "fw"

export const title = "Not found"

template NotFound(_c: Context, message: string) {
  <h1 class="text-3xl font-semibold tracking-tight">This is not here</h1>
  <p class="text-muted mt-3">{message || "The address is not quite right, or the page is gone."}</p>
  <p class="mt-6"><a href="/" class="button button-main">To the start</a></p>
}
