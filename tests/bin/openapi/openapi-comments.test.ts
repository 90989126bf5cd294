/** Tests of how comments are split into a summary, a description and tags. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { readComment } from "../../../bin/openapi/document/comment.ts"

interface Parts {
  readonly summary?: string
  readonly description?: string
  readonly tags?: Readonly<Record<string, string>>
}

const rows: ReadonlyArray<readonly [comment: string, parts: Parts]> = [
  ["", {}],
  ["One task.", { summary: "One task." }],
  ["One task.\n\nWith more.\nAnd more.", { summary: "One task.", description: "With more.\nAnd more." }],
  ["Makes a task, which takes a\nwhile.", { summary: "Makes a task, which takes a while." }],
  [
    "Makes a task, which takes a\nwhile. It may fail.\nOften.",
    { summary: "Makes a task, which takes a while.", description: "It may fail.\nOften." },
  ],
  ["Sums it up\n\nThe rest.", { summary: "Sums it up", description: "The rest." }],
  ["Is it there? Yes.", { summary: "Is it there?", description: "Yes." }],
  [
    "Reads e.g. Users and i.e. Groups. Then ends.",
    { summary: "Reads e.g. Users and i.e. Groups.", description: "Then ends." },
  ],
  ["Needs version 1.2 of it. Really.", { summary: "Needs version 1.2 of it.", description: "Really." }],
  ["Follows main.ts and index.js.", { summary: "Follows main.ts and index.js." }],
  ["Takes one of:\n- a\n- b", { summary: "Takes one of:", description: "- a\n- b" }],
  ["Written by J. Doe and others.", { summary: "Written by J. Doe and others." }],
  ["Old one. @deprecated use b", { summary: "Old one.", tags: { deprecated: "use b" } }],
  ["How many. @minimum 1 @maximum 10", { summary: "How many.", tags: { minimum: "1", maximum: "10" } }],
  ["@minimum 1 @maximum 10 @default 3", { tags: { minimum: "1", maximum: "10", default: "3" } }],
  ["An address @format email\n@example a@b.c", { summary: "An address", tags: { format: "email", example: "a@b.c" } }],
  [
    "Mail to a@format.org, @somebody or `@deprecated x`.",
    { summary: "Mail to a@format.org, @somebody or `@deprecated x`." },
  ],
  ["See {@link deprecated @minimum} of @fw/core.", { summary: "See {@link deprecated @minimum} of @fw/core." }],
  [
    '@example {"text": "a @format b"}\n@format email',
    { tags: { example: '{"text": "a @format b"}', format: "email" } },
  ],
  [
    "@unknown first\n@summary Said. Twice.",
    { summary: "Said. Twice.", tags: { unknown: "first", summary: "Said. Twice." } },
  ],
  [
    "@summary The summary.\n@description The words.\nMore of them.\n@tags a, b",
    {
      summary: "The summary.",
      description: "The words.\nMore of them.",
      tags: { summary: "The summary.", description: "The words.\nMore of them.", tags: "a, b" },
    },
  ],
  [
    "First. Second.\n@description Third.",
    { summary: "First.", description: "Second.\n\nThird.", tags: { description: "Third." } },
  ],
  [
    "Text of its own.\n@summary Said.",
    { summary: "Said.", description: "Text of its own.", tags: { summary: "Said." } },
  ],
  [
    "Shows:\n```ts\n@deprecated\n```\n@tag x",
    { summary: "Shows:", description: "```ts\n@deprecated\n```", tags: { tag: "x" } },
  ],
]

const comments = suite("comments")

for (const [comment, wanted] of rows) {
  comments(`${JSON.stringify(comment)} is split into summary, description and tags`, () => {
    const { summary, description, tags } = readComment(comment)
    const shown = {
      summary,
      description,
      tags: Object.fromEntries(tags.map(({ name, text }) => [name, text])),
    }
    const linked = (text: string) => text.replace(/\{@\w+ (\S+) ([^}]*)\}/g, "$2")
    assert.equal(shown, {
      summary: linked(wanted.summary ?? ""),
      description: wanted.description ?? "",
      tags: wanted.tags ?? {},
    })
  })
}

comments.run()
