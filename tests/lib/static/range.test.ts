/** Tests of the headers that static files read: ranges, dates and encodings, and of media types by file name. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { listAcceptedCodings } from "../../../lib/request/accept-encoding.ts"
import { readDate } from "../../../lib/request/header-grammar.ts"
import { findMediaType, isPackedType } from "../../../lib/static/media-types.ts"
import { readRange } from "../../../lib/static/range.ts"

const ranges: [header: string, size: number, expected: [number, number] | "unsatisfiable" | null][] = [
  ["bytes=0-0", 10, [0, 0]],
  ["bytes=0-9", 10, [0, 9]],
  ["bytes=2-4", 10, [2, 4]],
  ["bytes=2-", 10, [2, 9]],
  ["bytes=9-", 10, [9, 9]],
  ["bytes=-3", 10, [7, 9]],
  ["bytes=-10", 10, [0, 9]],
  ["bytes=-99", 10, [0, 9]],
  ["bytes=5-99", 10, [5, 9]],
  ["bytes=0-99999999999999999999999", 10, [0, 9]],
  ["Bytes=1-2", 10, [1, 2]],
  ["bytes= 1-2 ", 10, [1, 2]],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=10-12", 10, "unsatisfiable"],
  ["bytes=99999999999999999999999-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-1", 0, null],
  ["bytes=4-2", 10, null],
  ["bytes=-", 10, null],
  ["bytes=", 10, null],
  ["bytes", 10, null],
  ["bytes=a-b", 10, null],
  ["bytes=0x1-2", 10, null],
  ["bytes=1.5-2", 10, null],
  ["bytes=--1", 10, null],
  ["bytes=+1-2", 10, null],
  ["bytes=0-1,3-4", 10, null],
  ["bytes=0-1,", 10, [0, 1]],
  ["bytes= ,\t, 0-1 ,", 10, [0, 1]],
  ["bytes=,10-", 10, "unsatisfiable"],
  ["bytes=, ,", 10, null],
  ["bytes=0-1,,3-4", 10, null],
  ["bytes=0-1, x", 10, null],
  ["items=0-1", 10, null],
  ["0-1", 10, null],
]
for (const [header, size, expected] of ranges) {
  test(`Range ${JSON.stringify(header)} of ${size} bytes is ${JSON.stringify(expected)}`, () => {
    const wanted = Array.isArray(expected) ? { start: expected[0], end: expected[1] } : expected
    assert.equal(readRange(header, size), wanted)
  })
}

const moment = Date.UTC(1994, 10, 6, 8, 49, 37)
const dates: [text: string, expected: number][] = [
  ["Sun, 06 Nov 1994 08:49:37 GMT", moment],
  ["Sunday, 06-Nov-94 08:49:37 GMT", moment],
  ["Sun Nov  6 08:49:37 1994", moment],
  ["", Number.NaN],
  ["1", Number.NaN],
  ["1994-11-06T08:49:37Z", Number.NaN],
  ["Sun, 06 Nov 1994 08:49:37 +0200", Number.NaN],
  ["Sun, 06 Nov 1994 08:49:37", Number.NaN],
  ["Sun, 99 Nov 1994 08:49:37 GMT", Number.NaN],
]
for (const [text, expected] of dates) {
  test(`the date ${JSON.stringify(text)} is read as ${expected}`, () => {
    assert.ok(Object.is(readDate(text), expected))
  })
}

const encodings: [header: string, expected: string][] = [
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br gzip identity"],
  ["gzip", "gzip identity"],
  ["GZIP", "gzip identity"],
  ["x-gzip", "gzip identity"],
  ["br;q=0.1, gzip;q=0.9", "gzip br identity"],
  ["br;q=0, gzip", "gzip identity"],
  ["gzip;q=0.000", "identity"],
  ["gzip ; Q=0.5 , br ; q=0.8", "br gzip identity"],
  ["identity, gzip;q=0.5", "identity gzip"],
  ["*", "br gzip identity"],
  ["*;q=0", ""],
  ["*;q=0, identity", "identity"],
  ["gzip, *;q=0", "gzip"],
  ["br;q=0, *", "gzip identity"],
  ["identity;q=0", ""],
  ["identity;q=0, gzip;q=0.001", "gzip"],
  ["gzip;q=2", "identity"],
  ["gzip;q=-1", "identity"],
  ["gzip;q=", "identity"],
  ["gzip;q=abc", "identity"],
  [",,gzip,", "gzip identity"],
  ["zstd", "identity"],
]
for (const [header, expected] of encodings) {
  test(`Accept-Encoding ${JSON.stringify(header)} accepts ${expected || "nothing"}`, () => {
    assert.is(listAcceptedCodings(header).join(" "), expected)
  })
}

const types: [name: string, expected: string][] = [
  ["index.html", "text/html; charset=utf-8"],
  ["STYLE.CSS", "text/css; charset=utf-8"],
  ["a.min.js", "text/javascript; charset=utf-8"],
  ["a.mjs", "text/javascript; charset=utf-8"],
  ["data.json", "application/json"],
  ["a.js.map", "application/json"],
  ["site.webmanifest", "application/manifest+json"],
  ["a.wasm", "application/wasm"],
  ["a.svg", "image/svg+xml"],
  ["a.jpeg", "image/jpeg"],
  ["favicon.ico", "image/x-icon"],
  ["a.woff2", "font/woff2"],
  ["a.txt", "text/plain; charset=utf-8"],
  ["a.csv", "text/csv; charset=utf-8"],
  ["movie.mp4", "video/mp4"],
  ["a.tar.gz", "application/gzip"],
  ["LICENSE", "application/octet-stream"],
  ["a.", "application/octet-stream"],
  ["html", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
  ["a.unknown", "application/octet-stream"],
]
for (const [name, expected] of types) {
  test(`the type of ${name} is ${expected}`, () => {
    assert.is(findMediaType(name), expected)
  })
}

for (const [name, expected] of [
  ["a.png", true],
  ["a.mp4", true],
  ["a.woff2", true],
  ["a.zip", true],
  ["a.svg", false],
  ["a.ico", false],
  ["a.ttf", false],
  ["a.js", false],
  ["a.bin", false],
  ["a.tar", false],
] as const) {
  test(`the content of ${name} is ${expected ? "" : "not "}compressed already`, () => {
    assert.is(isPackedType(findMediaType(name)), expected)
  })
}

test.run()
