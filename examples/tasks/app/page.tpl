import type { Context } from "fw"
import { formatAddress, createBoard, readFilter, type Board, type Filter } from "../lib/board.ts"
import { isFor, isFragment } from "../lib/pages.ts"
import { store } from "../lib/store.ts"
import { emptyForm, type TaskForm } from "../lib/task-form.ts"
import { formatCount } from "../lib/words.ts"
import { Alert, Problem } from "./_components/form.tpl.ts"
import { Plus, Search } from "./_components/icons.tpl.ts"
import { Row } from "./_components/task.tpl.ts"

export const title = () => store.settings.name

const tabs = [
  ["", "All"],
  ["open", "Open"],
  ["done", "Done"],
] as const

/* Searching, finishing and deleting replace only the results; adding a task replaces the page. */
template Page(c: Context) {
  {const board = createBoard(readFilter(c))}
  {if (isFor(c, "results")) {
    {Results(board)}
    {OutOfBand(board)}
  } else {
    {Home(c, board, emptyForm)}
  }}
}

template Home(c: Context, board: Board, form: TaskForm) {
  <h1 id="heading" class="text-3xl font-semibold tracking-tight">{formatHeading(board)}</h1>
  {QuickAdd(form)}
  <search class="mt-8 block">
    <form
      id="search"
      action="/"
      hx-get="/"
      hx-target="#results"
      hx-trigger="input changed delay:200ms, submit"
      hx-sync="this:replace"
      hx-replace-url="true"
      class="relative"
    >
      <label for="q" class="sr-only">Search the tasks</label>
      <span class="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted">{Search()}</span>
      <input
        id="q"
        type="search"
        name="q"
        value={board.filter.q}
        placeholder="Search"
        autocomplete="off"
        class="field pl-10"
      >
    </form>
  </search>
  <div id="results">{Results(board)}</div>
  {if (isFragment(c)) {
    {Live(board)}
  }}
}

template QuickAdd({ fields, problems }: TaskForm) {
  <form
    method="post"
    action="/"
    novalidate
    aria-label="Add a task"
    class="card mt-5 p-3 sm:p-4"
    hx-post="/"
    hx-target="#main"
    hx-replace-url="/"
    hx-sync="this:drop"
  >
    {Alert(problems.form)}
    <div class="flex flex-wrap items-start gap-3">
      <div class="min-w-0 flex-[1_1_16rem]">
        <label for="title" class="sr-only">What is to be done?</label>
        <input
          id="title"
          name="title"
          value={fields.title}
          placeholder="What is to be done?"
          required
          maxlength="120"
          autocomplete="off"
          class="field"
          autofocus={problems.title !== undefined}
          aria-invalid={problems.title && "true"}
          aria-describedby={problems.title && "title-problem"}
        >
        {Problem("title-problem", problems.title)}
      </div>
      <div class="flex flex-1 items-start gap-3 sm:flex-none">
        <div class="flex-1">
          <label for="due" class="sr-only">Due, if it is</label>
          <input
            id="due"
            name="due"
            type="date"
            value={fields.due}
            class="field min-w-36"
            aria-invalid={problems.due && "true"}
            aria-describedby={problems.due && "due-problem"}
          >
          {Problem("due-problem", problems.due)}
        </div>
        <button class="button button-main">{Plus()}Add</button>
      </div>
    </div>
  </form>
}

template Results({ filter, open, done, total }: Board) {
  {const back = formatAddress(filter)}
  {const now = new Date()}
  {const counts = { "": open.length + done.length, open: open.length, done: done.length }}
  <h2 id="place" tabindex="-1" class="sr-only">Tasks</h2>
  <input type="hidden" name="state" value={filter.state} form="search" disabled={filter.state === ""}>
  {if (total > 0) {
    <nav aria-label="Which tasks" class="mt-4 flex gap-1">
      {for (const [state, label] of tabs) {
        {const address = formatAddress({ ...filter, state })}
        <a
          id={`tab-${state || "all"}`}
          href={address}
          hx-get={address}
          hx-target="#results"
          hx-push-url="true"
          aria-current={state === filter.state ? "page" : undefined}
          class="flex min-h-11 items-center gap-1.5 rounded-lg px-3 text-muted hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label} <span class="text-sm tabular-nums">{counts[state]}</span>
        </a>
      }}
    </nav>
  }}
  {if (counts[filter.state] === 0) {
    {Nothing(filter, total)}
  }}
  {if (filter.state !== "done" && open.length > 0) {
    <ul
      aria-label="Open"
      class="card mt-3 divide-y divide-line"
    >{for (const task of open) { {Row(task, back, now)} }}</ul>
  }}
  {if (filter.state !== "open" && done.length > 0) {
    {if (filter.state === "" && open.length > 0) {
      <h3 class="mt-8 px-1 text-sm font-medium text-muted">Done</h3>
    }}
    <ul
      aria-label="Done"
      class="card mt-3 divide-y divide-line"
    >{for (const task of done) { {Row(task, back, now)} }}</ul>
  }}
}

template Nothing({ state, q }: Filter, total: number) {
  <div class="mt-4 rounded-2xl border border-dashed border-line px-6 py-14 text-center">
    {if (total === 0) {
      <img src="/static/logo.svg" alt="" width="44" height="44" class="mx-auto opacity-80">
      <p class="mt-4 text-lg font-medium">A clean slate</p>
      <p class="mx-auto mt-1 max-w-xs text-muted">Write down the first thing that is on your mind. It appears
        here.</p>
    } else if (q) {
      <p class="text-lg font-medium [overflow-wrap:anywhere]">Nothing found for “{q}”</p>
      <p class="mt-1 text-muted">Titles and notes were searched.</p>
      <p class="mt-4"><a href={formatAddress({ state, q: "" })} class="link">Clear the search</a></p>
    } else if (state === "open") {
      <p class="text-lg font-medium">Nothing is left open</p>
      <p class="mt-1 text-muted">Enjoy it while it lasts.</p>
    } else {
      <p class="text-lg font-medium">Nothing done yet</p>
      <p class="mt-1 text-muted">What you tick off is kept here.</p>
    }}
  </div>
}

/* Updates outside the requested part: the heading, and the layout's live region for screen readers. */
template OutOfBand(board: Board) {
  <h1 id="heading" hx-swap-oob="innerHTML">{formatHeading(board)}</h1>
  {Live(board)}
}

template Live({ open, done, filter }: Board) {
  <p
    id="live"
    hx-swap-oob="innerHTML"
  >{filter.q ? "Found: " : ""}{formatCount(open.length, "open task")}, {done.length} done</p>
}

function formatHeading({ total, totalOpen }: Board): string {
  if (totalOpen > 0) return `${formatCount(totalOpen, "thing")} to do`
  return total > 0 ? "All done" : "Nothing to do"
}
