/** The tasks, their attachments and the settings. They are kept in memory and saved after every change. */
import { badRequest, HttpError, notFound } from "fw"
import { dataDirectory } from "./env.ts"
import { createDiskStorage, createMemoryStorage, type TaskStorage } from "./storage.ts"

export interface Attachment {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly size: number
}

export interface Task {
  readonly id: number
  readonly title: string
  readonly note: string
  /** A day such as `2026-03-31`; null if there is none. */
  readonly due: string | null
  readonly created: string
  readonly finished: string | null
  readonly attachments: readonly Attachment[]
}

/** The fields of a task that users enter. */
export type TaskInput = Pick<Task, "title" | "note" | "due">

export interface Settings {
  /** Shown at the top of the page. */
  readonly name: string
  /** True to refuse changes, and requests to the API other than for settings and the health check. */
  readonly maintenance: boolean
  /** Name of the API key with which the settings were last changed; `""` before the first change. */
  readonly changedBy: string
}

/** Limits for what users add, because the tasks are kept in memory. `attachments` is the limit of one task. */
export const limits = { tasks: 1000, attachments: 10, attachmentBytes: 1024 * 1024 } as const

interface State {
  readonly tasks: readonly Task[]
  readonly settings: Settings
  readonly nextId: number
}

const empty: State = {
  tasks: [],
  settings: { name: "Tasks", maintenance: false, changedBy: "" },
  nextId: 1,
}

export class Store {
  readonly #storage: TaskStorage
  readonly #tasks: Map<number, Task>
  #settings: Settings
  /** The number of the next task. Numbers are not reused, so the URL of a deleted task never shows another one. */
  #nextId: number
  #saving: Promise<void> = Promise.resolve()

  constructor(storage: TaskStorage) {
    const json = storage.load()
    const state: State = json === null ? empty : JSON.parse(json)
    this.#storage = storage
    this.#tasks = new Map(state.tasks.map((task) => [task.id, task]))
    this.#settings = state.settings
    this.#nextId = state.nextId
  }

  get settings(): Settings {
    return this.#settings
  }

  async configure(settings: Settings): Promise<void> {
    this.#settings = settings
    await this.#save()
  }

  /** All tasks, oldest first. */
  list(): Task[] {
    return [...this.#tasks.values()]
  }

  /** Returns a task. @throws HttpError 400 for 0, which `c.paramInt` returns for invalid numbers; 404 without such a task. */
  get(id: number): Task {
    if (id === 0) throw badRequest("the id of a task is a number")
    const task = this.#tasks.get(id)
    if (!task) throw notFound(`there is no task ${id}`)
    return task
  }

  /** Adds a task. @throws HttpError 409 if there are too many. */
  async add(input: TaskInput): Promise<Task> {
    if (this.#tasks.size >= limits.tasks) {
      throw new HttpError(409, `there are ${limits.tasks} tasks already: delete some first`)
    }
    const task = { id: this.#nextId++, ...input, created: now(), finished: null, attachments: [] }
    this.#tasks.set(task.id, task)
    await this.#save()
    return task
  }

  change(id: number, input: Partial<TaskInput>): Promise<Task> {
    return this.#edit(id, () => input)
  }

  /** Finishes or reopens a task. Finishing it twice keeps the first time. */
  finish(id: number, done: boolean): Promise<Task> {
    return this.#edit(id, ({ finished }) => ({ finished: done ? (finished ?? now()) : null }))
  }

  async remove(id: number): Promise<void> {
    const { attachments } = this.get(id)
    this.#tasks.delete(id)
    await this.#save()
    await Promise.all(attachments.map((attachment) => this.#storage.remove(attachment.id)))
  }

  /** Adds an attachment. @throws HttpError 409 if the task has too many. */
  async attach(
    id: number,
    { name, type }: Pick<Attachment, "name" | "type">,
    bytes: Uint8Array,
  ): Promise<Attachment> {
    const attachment = { id: this.#nextId++, name, type, size: bytes.byteLength }
    // The file is saved first, so every listed file exists.
    await this.#storage.put(attachment.id, bytes)
    try {
      await this.#edit(id, ({ attachments }) => {
        if (attachments.length < limits.attachments) return { attachments: [...attachments, attachment] }
        throw new HttpError(409, `the task has ${limits.attachments} attachments already: delete some first`)
      })
    } catch (error) {
      await this.#storage.remove(attachment.id)
      throw error
    }
    return attachment
  }

  /** Returns an attachment. @throws HttpError 404 if the task or the attachment is missing. */
  getAttachment(id: number, attachmentId: number): Attachment {
    const attachment = this.get(id).attachments.find((item) => item.id === attachmentId)
    if (!attachment) throw notFound(`task ${id} has no such attachment`)
    return attachment
  }

  readAttachment(attachment: Attachment): Promise<Uint8Array> {
    return this.#storage.get(attachment.id)
  }

  async detach(id: number, attachment: Attachment): Promise<void> {
    await this.#edit(id, ({ attachments }) => ({
      attachments: attachments.filter((a) => a.id !== attachment.id),
    }))
    await this.#storage.remove(attachment.id)
  }

  async #edit(id: number, edit: (task: Task) => Partial<Task>): Promise<Task> {
    const old = this.get(id)
    const task = { ...old, ...edit(old) }
    this.#tasks.set(id, task)
    await this.#save()
    return task
  }

  /** Saves the current state. Only one save runs at a time, and a failed save affects only its own request. */
  #save(): Promise<void> {
    const saved = this.#saving.then(() => this.#storage.save(JSON.stringify(this.#state(), null, 2)))
    this.#saving = saved.catch(() => {})
    return saved
  }

  #state(): State {
    return { tasks: this.list(), settings: this.#settings, nextId: this.#nextId }
  }
}

function now(): string {
  return new Date().toISOString()
}

/** The store of this process. */
export const store = new Store(
  dataDirectory === null ? createMemoryStorage() : createDiskStorage(dataDirectory),
)
