import type { Context } from "fw"

export const title = "Something went wrong"

template Failure(_c: Context, status: number, message: string) {
  <p class="text-muted text-sm font-medium tracking-widest">{status}</p>
  <h1 class="mt-1 text-3xl font-semibold tracking-tight">{status < 500 ? "That did not work" : "Something went wrong"}</h1>
  <p class="text-muted mt-3 max-w-prose">{message.charAt(0).toUpperCase() + message.slice(1)}.</p>
  <p class="mt-6"><a href="/login" class="button button-main">To the sign-in</a></p>
}
