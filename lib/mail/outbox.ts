/** Keeps the mails that are sent in tests. Each test client has the mails of its own requests and those of jobs. */
import type { LogRecord } from "../log/record.ts"
import type { OutgoingMail } from "./outgoing.ts"

/** The outboxes, by the list of log lines of their client. Each request of the client has that list. */
const outboxes = new Map<LogRecord[], OutgoingMail[]>()

/** Returns a list to which mails are added from now on. After the first call, this process does not send any mail. */
export function openOutbox(lines: LogRecord[]): OutgoingMail[] {
  const mails: OutgoingMail[] = []
  outboxes.set(lines, mails)
  return mails
}

/** Returns true in a process that has a test client. */
export function hasOutbox(): boolean {
  return outboxes.size > 0
}

/** Adds a mail to the outbox of the client whose request sends it. A mail of a job is added to all outboxes. */
export function putIntoOutbox(mail: OutgoingMail, lines: LogRecord[] | undefined): void {
  const clientMails = lines && outboxes.get(lines)
  for (const mails of clientMails ? [clientMails] : outboxes.values()) mails.push(mail)
}
