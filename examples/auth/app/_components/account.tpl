// Components of the account pages. Their colours and classes are in the styles/input.css that `fw new` writes.
import { accountPages } from "../../lib/auth/menu.ts"

export const mainButton = "button button-main cursor-pointer"
export const plainButton = "button cursor-pointer border border-line bg-surface hover:border-accent"
export const dangerButton =
  "button cursor-pointer border border-[light-dark(#b3261e,#ff9a91)] text-[color:light-dark(#b3261e,#ff9a91)] hover:bg-[light-dark(#fdeceb,#3b1b19)]"
const good =
  "rounded-lg bg-[light-dark(#e4f3eb,#16352a)] px-4 py-3 font-medium text-[color:light-dark(#075f3c,#7be0b5)]"
const bad =
  "rounded-lg bg-[light-dark(#fdeceb,#3b1b19)] px-4 py-3 font-medium text-[color:light-dark(#8c1d18,#ffb4ab)]"
const input =
  "block min-h-11 w-full rounded-lg border border-[light-dark(#858894,#787b86)] bg-surface px-3 py-2 text-ink aria-invalid:border-[light-dark(#b3261e,#ff9a91)]"

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
    <input
      id={name}
      name={name}
      type={type}
      value={value}
      class={input}
      required
      autocomplete={autocomplete}
      minlength={minlength}
      maxlength={maxlength}
      autofocus={focus}
      aria-invalid={wrong ? "true" : null}
      aria-describedby={[hint && `${name}-hint`, wrong && "problem"].filter(Boolean).join(" ") || null}
    >
    {if (hint) {
      <p id={`${name}-hint`} class="mt-1.5 text-sm text-muted">{hint}</p>
    }}
  </div>
}

/* Screen readers announce it when the page has loaded. */
template Problem(text: string | undefined) {
  {if (text) {
    <p id="problem" role="alert" class={bad}>{text}</p>
  }}
}

/* Hidden until a script has something to say. */
template ScriptProblem() {
  <p role="alert" hidden class={["mt-3", bad]}></p>
}

template Done(text: string | undefined) {
  {if (text) {
    <p role="status" class={["mb-5", good]}>{text}</p>
  }}
}

/* An account page, with its menu and the sign-out button. */
template Account(path: string, heading: string) {
  <div class="mx-auto w-full max-w-3xl py-2">
    <div class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <nav aria-label="Account">
        <ul class="-mx-3 flex flex-wrap gap-x-1">
          {for (const { label, path: page } of accountPages) {
            <li><a
              href={page}
              aria-current={page === path ? "page" : null}
              class="inline-flex min-h-11 items-center rounded-lg px-3 text-muted hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:underline-offset-8"
            >{label}</a></li>
          }}
        </ul>
      </nav>
      <form method="post" action="/logout"><button class={plainButton}>Sign out</button></form>
    </div>
    <h1 class="mt-6 mb-5 text-3xl font-semibold tracking-tight">{heading}</h1>
    {children}
  </div>
}

/* A page with one form, for users who are not signed in. */
template Entry(heading: string) {
  <div class="card mx-auto w-full max-w-md p-6 sm:p-8">
    <h1 class="text-2xl font-semibold tracking-tight">{heading}</h1>
    {children}
  </div>
}
