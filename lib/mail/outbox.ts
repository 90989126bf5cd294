/** The mails of tests: each client of a test has those of its requests and those of jobs. */
import type { LogRecord } from "../log/record.ts"
import type { OutgoingMail } from "./outgoing.ts"

/** By the lines of the client, which its requests bring. */
const outboxes = new Map<LogRecord[], OutgoingMail[]>()

/** Returns a list that gets mails from now on. From the first one on, this process sends none. */
export function openOutbox(lines: LogRecord[]): OutgoingMail[] {
  const mails: OutgoingMail[] = []
  outboxes.set(lines, mails)
  return mails
}

/** Returns true in a process that has a test client. */
export function hasOutbox(): boolean {
  return outboxes.size > 0
}

/** Puts a mail into the outbox of the client whose request sends it; a mail of a job into all. */
export function putIntoOutbox(mail: OutgoingMail, lines: LogRecord[] | undefined): void {
  const own = lines && outboxes.get(lines)
  for (const mails of own ? [own] : outboxes.values()) mails.push(mail)
}
