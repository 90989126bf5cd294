// What the pages of an account share. The classes are Tailwind's own, so they need no theme.

export const button = "inline-flex min-h-11 cursor-pointer items-center justify-center rounded-lg px-4 font-medium focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-indigo-600 dark:focus-visible:outline-indigo-300"
export const mainButton = [button, "bg-indigo-700 text-white hover:bg-indigo-800 dark:bg-indigo-300 dark:text-indigo-950 dark:hover:bg-indigo-200"]
export const plainButton = [button, "border border-zinc-400 bg-white text-zinc-900 hover:border-zinc-600 dark:border-zinc-600 dark:bg-zinc-900 dark:text-zinc-100 dark:hover:border-zinc-400"]
export const dangerButton = [button, "border border-red-700 text-red-700 hover:bg-red-50 dark:border-red-300 dark:text-red-300 dark:hover:bg-red-950"]
export const card = "rounded-2xl border border-zinc-200 bg-white dark:border-zinc-800 dark:bg-zinc-900"
export const muted = "text-zinc-600 dark:text-zinc-400"
export const link = "rounded-sm font-medium text-indigo-700 underline underline-offset-4 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-indigo-600 dark:text-indigo-300 dark:focus-visible:outline-indigo-300"
const input = "block min-h-11 w-full rounded-lg border border-zinc-500 bg-white px-3 py-2 text-zinc-900 focus:outline-2 focus:outline-offset-0 focus:outline-indigo-600 aria-invalid:border-red-700 dark:border-zinc-500 dark:bg-zinc-950 dark:text-zinc-100 dark:focus:outline-indigo-300 dark:aria-invalid:border-red-300"

export interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type?: string
  readonly value?: string | undefined
  readonly autocomplete: string
  readonly hint?: string
  readonly focus?: boolean
  readonly wrong?: boolean
  readonly minlength?: number
  readonly maxlength?: number
}

template Field({ name, label, type = "text", value, autocomplete, hint, focus = false, wrong = false, minlength, maxlength }: FieldProps) {
  <div>
    <label for={name} class="mb-1.5 block font-medium">{label}</label>
    <input id={name} name={name} type={type} value={value} class={input} required autocomplete={autocomplete} minlength={minlength} maxlength={maxlength}
      autofocus={focus} aria-invalid={wrong ? "true" : null} aria-describedby={[hint && `${name}-hint`, wrong && "problem"].filter(Boolean).join(" ") || null}>
    {if (hint) {
      <p id={`${name}-hint`} class={["mt-1.5 text-sm", muted]}>{hint}</p>
    }}
  </div>
}

/* Read out when the page is there. */
template Problem(text: string | undefined) {
  {if (text) {
    <p id="problem" role="alert" class="rounded-lg bg-red-50 px-4 py-3 font-medium text-red-800 dark:bg-red-950 dark:text-red-200">{text}</p>
  }}
}

template Done(text: string | undefined) {
  {if (text) {
    <p role="status" class="mb-5 rounded-lg bg-emerald-50 px-4 py-3 font-medium text-emerald-900 dark:bg-emerald-950 dark:text-emerald-200">{text}</p>
  }}
}

const pages = [
  ["/dashboard", "Dashboard"],
  ["/sessions", "Sessions"],
  ["/keys", "API keys"],
] as const

/* A page of an account: where one can go, and out. */
template Account(path: string, heading: string) {
  <div class="mx-auto w-full max-w-3xl">
    <div class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <nav aria-label="Account">
        <ul class="-mx-3 flex flex-wrap gap-x-1">
          {for (const [page, label] of pages) {
            <li><a href={page} aria-current={page === path ? "page" : null}
              class="inline-flex min-h-11 items-center rounded-lg px-3 text-zinc-600 hover:text-zinc-900 focus-visible:outline-2 focus-visible:outline-indigo-600 aria-[current=page]:font-semibold aria-[current=page]:text-zinc-900 aria-[current=page]:underline aria-[current=page]:underline-offset-8 dark:text-zinc-400 dark:hover:text-zinc-100 dark:focus-visible:outline-indigo-300 dark:aria-[current=page]:text-zinc-100">{label}</a></li>
          }}
        </ul>
      </nav>
      <form method="post" action="/logout"><button class={plainButton}>Sign out</button></form>
    </div>
    <h1 class="mt-6 mb-5 text-3xl font-semibold tracking-tight">{heading}</h1>
    {children}
  </div>
}

/* A page with one form, for those who are not signed in. */
template Entry(heading: string) {
  <div class={["mx-auto w-full max-w-md p-6 sm:p-8", card]}>
    <h1 class="text-2xl font-semibold tracking-tight">{heading}</h1>
    {children}
  </div>
}
