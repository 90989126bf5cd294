/**
 * Tests that `testClient()` collects the mails of a test. From the first client on, the process sends no mails, so
 * this file runs in its own process.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { createJobs, testJobs } from "../../../../adapters/jobs.ts"
import { mail } from "../../../../lib/mail.ts"
import { testClient } from "../../../../lib/testing.ts"
import { message, mountMails } from "../../../support/mail/mail-app.ts"

const jobs = createJobs<{ work: undefined }>()

test("a test client has the mails of its requests and of jobs, and the transport gets none", async () => {
  const queue = testJobs()
  const { app, sent, post } = await mountMails({}, (job) => mail(job, { ...message, subject: "Job" }))
  const [ada, bob] = [testClient(app), testClient(app)]
  await ada.request("/", { method: "POST" })
  assert.equal([ada.mails.length, bob.mails.length, await queue.list()], [1, 0, []])
  await jobs.add("work")
  await queue.run()
  const subjects = () => [ada, bob].map(({ mails }) => mails.map(({ subject }) => subject))
  assert.equal(subjects(), [["Hello", "Job"], ["Job"]])
  // No test client sends this request, so each of them gets its mail.
  await post({ subject: "Other" })
  assert.equal(subjects(), [
    ["Hello", "Job", "Other"],
    ["Job", "Other"],
  ])
  assert.equal([ada.mails[0]?.text, sent], ["Hello Ada", []])
})

test.run()
