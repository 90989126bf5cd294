/** Messages about jobs. */
import { toOwnCommand } from "../own-command.ts"
import { formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

export const jobMessages = {
  job_options: (key: string, value: unknown, rule: string) => [
    `the option ${key} of a job has the value ${formatValue(value)}`,
    rule,
  ],
  "job_options.schedule": (schedule: string, timezone: string | undefined, problem: string) => [
    `the schedule ${formatValue(schedule)}${timezone ? ` in ${timezone}` : ""} is not valid: ${problem}`,
    'Write minute, hour, day, month and day of the week, such as "0 3 * * 1-5", and a zone such as "Europe/Berlin".',
  ],
  "job_options.add": (name: string, problem: string) => [
    `jobs.add(${formatValue(name)}) was given ${problem}`,
    "Write { delay: 60 } in seconds, or { at: new Date(…) }, not both. unique is a text, and tx what db.transaction() passes.",
  ],
  job_name: (name: unknown, known: readonly string[]) => [
    `there is no job ${formatValue(name)}`,
    known.length > 0
      ? `A job has the name of its directory below the route directory. The program has: ${known.join(", ")}.`
      : 'A job is a file job.ts below the route directory: app/mail/welcome/job.ts is "mail/welcome".',
  ],
  "job_name.unmounted": () => [
    "jobs.add() was called before the job files were mounted",
    "Call it in a handler or in a job. A test calls app.scan() and app.mount() first.",
  ],
  "job_name.none": () => [
    "the project has no jobs",
    "Write app/mail/welcome/job.ts with export async function Job(payload) { … }. The job has the name mail/welcome.",
  ],
  job_payload: (name: string, issues: string) => [
    `the payload of the job ${formatValue(name)} does not fit its type: ${issues}`,
    `Compare it with the first parameter of Job(). A job that was added by an older version of the program can be added again with ${toOwnCommand("jobs add")}.`,
  ],
  "job_payload.json": (name: string, problem: string) => [
    `the payload of the job ${formatValue(name)} is not JSON: ${problem}`,
    "Pass plain data: texts, numbers, booleans, null, dates, arrays and objects of these. Or leave it out if Job() has no parameter.",
  ],
  "job_payload.large": (name: string, bytes: number, maxBytes: number) => [
    `the payload of the job ${formatValue(name)} has ${bytes} bytes, and may have ${maxBytes}`,
    "Keep the data in a file or in the database, and pass its key.",
  ],
  job_engine: (value: string) => [
    `setJobEngine() takes an engine of fw/jobs, not ${value}`,
    'Write setJobEngine(sqliteJobs({ file: "data/jobs.db" })) in main.ts.',
  ],
  "job_engine.bullmq": () => [
    "bullmqJobs() was not given all that it needs",
    "Write bullmqJobs({ Queue, Worker, connection }), with the classes of the package bullmq and a client of ioredis: new Redis(url, { maxRetriesPerRequest: null }).",
  ],
  "job_engine.pgboss": () => [
    "pgbossJobs() was not given all that it needs",
    "Write pgbossJobs({ PgBoss, database: db }), with the class of the package pg-boss and a database of fw/db whose client is one of PostgreSQL.",
  ],
  "job_engine.pgboss_node": (version: string) => [
    `pg-boss does not run on Node ${version}`,
    "Run the program on Node 22.12 or later, or choose another engine in main.ts.",
  ],
  "job_engine.schema": (schema: string) => [
    `pgbossJobs() was given ${formatValue(schema)} as the schema`,
    "Write small letters, digits and _, such as fw_jobs.",
  ],
  "job_engine.none": () => [
    "this runtime has no job engine of its own",
    "Run the program on Node, Bun or Deno, or call setJobEngine() in main.ts with an engine of your own.",
  ],
  "job_engine.late": () => [
    "setJobEngine() was called after the first job was added or claimed",
    "Call it in main.ts, at the top level of the module.",
  ],
  "job_engine.feature": (engine: string, feature: string, use: string) => [
    `${use} need ${feature}, which the job engine ${engine} does not have`,
    "The page about jobs has a table of what each engine can do.",
  ],
  "job_engine.database": (value: string) => [
    `sqliteJobs() was given ${value} as the database`,
    "Pass the database of fw/db with a client of SQLite: sqliteJobs({ database: db }). Or use a file of its own.",
  ],
  "job_engine.tx": (engine: string) => [
    `jobs.add() was given a transaction, and the job engine ${engine} cannot add a job within it`,
    "Write setJobEngine(sqliteJobs({ database: db })), or pgbossJobs(…), with the database whose transaction it is.",
  ],
  "job_engine.limit": (engine: string, option: string, rule: string) => [
    `the option ${option} of a job has a value that the job engine ${engine} cannot have`,
    `It can have ${rule}. Change the option, or run the program elsewhere.`,
  ],
  "job_engine.delay": (name: string, seconds: number, maxSeconds: number) => [
    `the job ${formatValue(name)} was added with a delay of ${seconds} s, and Cloudflare Queues keep a message back for at most ${maxSeconds} s`,
    "Give the job a schedule, which looks in the database for what is due.",
  ],
  "job_engine.binding": (binding: string) => [
    `the worker has no queue with the binding ${binding}`,
    "Deploy with dist/workers/wrangler.json, or copy its part about queues. wrangler queues create makes a queue.",
  ],
  job_timeout: (name: string, seconds: number) => [
    `the job ${formatValue(name)} did not end within ${seconds} s`,
    "Set a longer timeout in its options, and pass job.signal to everything that it waits for, so that it stops in time.",
  ],
  job_lost: (name: string) => [
    `another process has taken over the job ${formatValue(name)}, because this one did not renew its claim in time`,
    "Move work that blocks the process for seconds to a worker thread or another program.",
  ],
  job_stopped: (name: string) => [
    `the job ${formatValue(name)} was stopped because the program ends, and will be run again`,
    "You need not do anything: another process runs it, or this program when it starts again.",
  ],
  job_abandoned: () => [
    "the process of the last attempt ended before the job did",
    `Look for what ended it, such as too little memory. ${toOwnCommand("jobs retry")} runs the job again.`,
  ],
  job_step: (name: string, step: string, problem: string) => [
    `the step ${formatValue(step)} of the job ${formatValue(name)} ${problem}`,
    "A step has a name that no other step of the job has, and returns plain data.",
  ],
  job_command: (command: string, known: readonly string[]) => [
    command === "" ? "jobs needs a command" : `${formatValue(command)} is not a command of jobs`,
    `Write one of: ${known.join(", ")}.`,
  ],
  "job_command.id": (id: string | undefined) => [
    id === undefined ? "the number of the job is missing" : `there is no job with the number ${formatValue(id)}`,
    `${toOwnCommand("jobs list")} shows the jobs that wait, run or have failed. A job that has ended is removed.`,
  ],
  "job_command.retry": (id: string, state: string) => [
    `the job ${formatValue(id)} cannot be retried: its state is ${state}`,
    `Only jobs that have failed for the last time can be retried, and only while no other job with the same unique key waits or runs. ${toOwnCommand("jobs list --state failed")} shows them.`,
  ],
  "job_command.state": (state: string) => [
    `${formatValue(state)} is not a state of jobs`,
    "Write waiting, running or failed.",
  ],
  "job_command.payload": (text: string) => [
    `the payload ${formatValue(text)} is not JSON`,
    `Write JSON in single quotes, such as '{"email":"ada@shop.example"}'.`,
  ],
  "job_command.clear": () => ["jobs clear would remove all jobs", "Name a job, or --state failed, or --id 12."],
  "job_command.answer": (message: string, fix: string) => [message, fix],
  "job_command.failed": (message: string) => [message, "The message comes from the program or its job engine."],
  job_variable: (text: string) => [
    `FW_JOBS has the value ${formatValue(text)}`,
    "Write the number of jobs that a process runs at the same time, from 1 to 1000, or off, only, or only,8.",
  ],
} satisfies Messages
