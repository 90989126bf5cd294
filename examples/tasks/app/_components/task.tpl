// One task in a list.
import type { Task } from "../../lib/store.ts"
import { formatCount, describeDue, formatShortDay } from "../../lib/words.ts"
import { Check, Clip, Trash } from "./icons.tpl.ts"

template Due(date: string, now: Date) {
  {const due = describeDue(date, now)}
  <time
    datetime={date}
    class={[
      "rounded-md",
      due.tone === "late" && "bg-danger-soft px-2 py-0.5 font-medium text-danger",
      due.tone === "soon" && "bg-warn-soft px-2 py-0.5 font-medium text-warn",
    ]}
  >{due.text}</time>
}

/* The round button that finishes or reopens a task. */
template Tick(task: Task, back: string, target: string) {
  {const action = task.finished ? "reopen" : "done"}
  <form
    method="post"
    action={`/tasks/${task.id}/${action}`}
    hx-post={`/tasks/${task.id}/${action}`}
    hx-target={target}
    hx-sync="closest main:queue all"
  >
    <input type="hidden" name="back" value={back}>
    <button
      id={`tick-${task.id}`}
      aria-label={task.finished ? `Open again: ${task.title}` : `Finish: ${task.title}`}
      class="group grid size-11 cursor-pointer place-items-center rounded-full"
    >
      <span class={[
        "grid size-6 place-items-center rounded-full border-2 transition-colors",
        task.finished
          ? "border-accent bg-accent text-on-accent group-hover:border-accent-strong group-hover:bg-accent-strong"
          : "border-edge text-transparent group-hover:border-accent group-hover:text-accent",
      ]}><span class="scale-70">{Check()}</span></span>
    </button>
  </form>
}

template Row(task: Task, back: string, now: Date) {
  <li class="flex items-start gap-1 px-2 py-2">
    {Tick(task, back, "#results")}
    <div class="min-w-0 flex-1 py-2.5">
      <a
        href={`/tasks/${task.id}`}
        class={[
          "block rounded-sm leading-6 [overflow-wrap:anywhere] hover:underline hover:decoration-edge hover:underline-offset-4",
          task.finished ? "text-muted line-through decoration-edge" : "font-medium",
        ]}
      >{task.title}</a>
      {if (!task.finished && task.note) {
        <p class="mt-0.5 line-clamp-2 text-sm text-muted [overflow-wrap:anywhere]">{task.note}</p>
      }}
      {if (task.finished || task.due || task.attachments.length > 0) {
        <p class="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          {if (task.finished) {
            <span>Done <time datetime={task.finished}>{formatShortDay(task.finished, now)}</time></span>
          } else if (task.due) {
            {Due(task.due, now)}
          }}
          {if (task.attachments.length > 0) {
            <span class="flex items-center gap-1"><span class="-mx-0.5 scale-80">{Clip()}</span>{formatCount(task.attachments.length, "file")}</span>
          }}
        </p>
      }}
    </div>
    <form
      method="post"
      action={`/tasks/${task.id}/delete`}
      hx-post={`/tasks/${task.id}/delete`}
      hx-target="#results"
      hx-confirm={`Delete “${task.title}”? This cannot be undone.`}
      hx-vals='{"sure":"yes"}'
      hx-sync="closest main:queue all"
    >
      <input type="hidden" name="back" value={back}>
      <button
        aria-label={`Delete: ${task.title}`}
        class="grid size-11 cursor-pointer place-items-center rounded-full text-muted transition-colors hover:bg-danger-soft hover:text-danger"
      >{Trash()}</button>
    </form>
  </li>
}
