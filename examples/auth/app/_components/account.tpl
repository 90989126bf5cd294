// Components of the account pages. styles/input.css defines their classes, as in a project from `fw new`.
import type { Context } from "fw"
import { accountPages } from "../../lib/auth/menu.ts"
import { passwordLength } from "../../lib/auth/passwords.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { formatTime, type Timestamp } from "../../lib/auth/words.ts"

export interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isWrong?: boolean
  /** The other attributes of the input. */
  readonly [attribute: string]: string | number | boolean | undefined
}

template Field({ name, label, hint, isWrong, ...attributes }: FieldProps) {
  <div>
    <label for={name} class="mb-1.5 block font-medium">{label}</label>
    <input
      id={name}
      name={name}
      class="input"
      required
      {...attributes}
      aria-invalid={isWrong ? "true" : null}
      aria-describedby={[hint && `${name}-hint`, isWrong && "problem"].filter(Boolean).join(" ") || null}
    >
    {if (hint) {
      <p id={`${name}-hint`} class="mt-1.5 text-sm text-muted">{hint}</p>
    }}
  </div>
}

/* The field for a new password. */
template NewPassword(c: Context, label: string, state: { isWrong: boolean; autofocus: boolean }) {
  {const { min: minlength, max: maxlength } = passwordLength}
  {Field({ name: "password", label, type: "password", autocomplete: "new-password", hint: textsOf(c).passwordHint, minlength, maxlength, ...state })}
}

/* A message about a problem. Screen readers announce it when the page has loaded. */
template Problem(text: string | undefined) {
  {if (text) {
    <p id="problem" role="alert" class="problem my-0">{text}</p>
  }}
}

/* A form with a button, and the problem of the last attempt. Its route handles it. */
template Form({ button, problem, isCard }: { button: string; problem?: string | undefined; isCard?: boolean }) {
  <form
    method="post"
    class={isCard ? "card my-5 grid gap-4 p-5 [&>button]:justify-self-start" : "mt-6 grid gap-5"}
  >
    {Problem(problem)}
    {children}
    <button class="button button-main">{button}</button>
  </form>
}

/* A time that programs can read too. */
template Time(c: Context, time: Timestamp) {
  <time datetime={new Date(Number(time)).toISOString()}>{formatTime(c, time)}</time>
}

/* A button of the script for passkeys, and its messages. Both stay hidden if the script does not run. */
template PasskeyButton(c: Context, action: "add" | "sign-in", label: string) {
  <div
    hidden
    data-passkey={action}
    data-problems={JSON.stringify(textsOf(c).passkeyProblems)}
    class={["mt-5 grid", action === "add" && "justify-items-start"]}
  >
    <button type="button" class="button button-plain">{label}</button>
    <p role="alert" hidden class="problem mt-3 mb-0"></p>
  </div>
}

/* The messages that the last page has left. */
template Messages(c: Context) {
  {for (const text of c.flashed()) {
    <p role="status" class="notice [overflow-wrap:anywhere]">{text}</p>
  }}
}

/* An account page, with its menu and the sign-out button. */
template Account(c: Context, heading: string) {
  {const texts = textsOf(c)}
  <div class="mx-auto w-full max-w-3xl py-2">
    <div class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <nav aria-label={texts.account}>
        <ul class="-mx-3 flex flex-wrap gap-x-1">
          {for (const { label, path } of accountPages) {
            <li><a
              href={path}
              aria-current={c.path === path ? "page" : null}
              class="inline-flex min-h-11 items-center rounded-lg px-3 text-muted hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:underline-offset-8"
            >{label(texts)}</a></li>
          }}
        </ul>
      </nav>
      <form
        method="post"
        action="/logout"
        class="contents"
      ><button class="button button-plain">{texts.signOut}</button></form>
    </div>
    <h1 class="mt-6 mb-5 text-3xl font-semibold tracking-tight">{heading}</h1>
    {Messages(c)}
    {children}
  </div>
}

/* An item of a list with its description, and a button. */
template Item(name: string, button: { name: string; value: string; label: string; description: string } | null) {
  <li class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
    <div class="min-w-0">
      <p class="font-medium [overflow-wrap:anywhere]">{name}</p>
      <p class="mt-1 text-sm text-muted">{children}</p>
    </div>
    {if (button) {
      <form method="post" class="contents">
        <button
          name={button.name}
          value={button.value}
          class="button border border-danger text-danger hover:bg-danger-soft"
          aria-label={button.description}
        >{button.label}</button>
      </form>
    }}
  </li>
}

/* A page with one form, for users who are not signed in. */
template Entry(c: Context, heading: string) {
  <div class="card mx-auto w-full max-w-md p-6 sm:p-8">
    <h1 class="text-2xl font-semibold tracking-tight">{heading}</h1>
    {Messages(c)}
    {children}
  </div>
}
