/**
 * Tests of OpenTelemetry's standard environment variables, of samplers, and of the headers of W3C Trace Context.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { isDisabled, readSettings } from "../../../adapters/otel/settings.ts"
import { createTraceHeaders, RecordedSpan, readRandomness, readTraceparent, Span } from "../../../adapters/otel/span.ts"
import { FwError } from "../../../lib/index.ts"

const endpoint = "http://collector:4318"

test("telemetry has no settings without an endpoint, and OTEL_SDK_DISABLED=true turns it off", () => {
  assert.is(readSettings({}, true), undefined)
  assert.equal([{ OTEL_SDK_DISABLED: "TRUE" }, { OTEL_SDK_DISABLED: "false" }, {}].map(isDisabled), [
    true,
    false,
    false,
  ])
})

const urls: ReadonlyArray<readonly [env: Record<string, string>, traces: unknown, metrics: unknown, logs: unknown]> = [
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, "/v1/traces", "/v1/metrics", "/v1/logs"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/otlp/` }, "/otlp/v1/traces", "/otlp/v1/metrics", "/otlp/v1/logs"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRICS_EXPORTER: "none" }, "/v1/traces", undefined, "/v1/logs"],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/only` }, "/only", undefined, undefined],
]
for (const [env, ...paths] of urls) {
  test(`with ${JSON.stringify(env)}, traces, metrics and logs are sent to ${paths.map((path) => path ?? "nothing").join(", ")}`, () => {
    const { urls } = readSettings(env, true) ?? {}
    const found = [urls?.traces, urls?.metrics, urls?.logs].map((url) => url?.replace(endpoint, ""))
    assert.equal(found, paths)
  })
}

test("the resource and the headers come from the environment", () => {
  const settings = readSettings(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, x-team=blue",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=test",
      OTEL_SERVICE_NAME: "shop",
      OTEL_PROPAGATORS: "tracecontext",
    },
    true,
  )
  assert.equal(settings?.headers, { "x-key": "a b", "x-team": "blue" })
  assert.equal(settings?.propagators, ["tracecontext"])
  assert.equal(settings?.resource, {
    "service.name": "shop",
    "deployment.environment.name": "test",
    "telemetry.sdk.name": "fw",
    "telemetry.sdk.language": "nodejs",
  })
})

const refused: ReadonlyArray<readonly [env: Record<string, string>, message: RegExp]> = [
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, /ENDPOINT is "collector:4318", which is not a URL/],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /sends http\/json/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "x-key" }, /HEADERS has "x-key"/],
  [{ OTEL_RESOURCE_ATTRIBUTES: "a=%zz" }, /RESOURCE_ATTRIBUTES has "a=%zz"/],
  [{ OTEL_TRACES_SAMPLER: "xray" }, /SAMPLER is "xray"/],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "5" }, /ARG is "5"/],
]
for (const [env, message] of refused) {
  test(`${JSON.stringify(env)} is refused`, () =>
    assert.throws(
      () => readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env }, true),
      (error: unknown) => error instanceof FwError && error.code === "otel" && message.test(error.message),
    ))
}

/**
 * Samplers, and whether they record a new trace, a trace whose parent was not recorded, and a trace whose parent
 * was recorded.
 */
const samplers: ReadonlyArray<readonly [name: string, argument: string | undefined, share: number, ...boolean[]]> = [
  ["always_on", undefined, 0.5, true, true, true],
  ["always_off", undefined, 0.5, false, false, false],
  ["traceidratio", "0.25", 0.2, true, true, true],
  ["traceidratio", "0.25", 0.3, false, false, false],
  ["parentbased_always_on", undefined, 0.5, true, false, true],
  ["parentbased_always_off", undefined, 0.5, false, false, true],
  ["parentbased_traceidratio", "0.25", 0.2, true, false, true],
  ["parentbased_traceidratio", "0", 0, false, false, true],
]
for (const [name, argument, share, ...expected] of samplers) {
  test(`the sampler ${name} ${argument ?? ""} decides rightly about a trace with the random number ${share}`, () => {
    const env = { OTEL_TRACES_SAMPLER: name, ...(argument !== undefined && { OTEL_TRACES_SAMPLER_ARG: argument }) }
    const sampler = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env }, true)?.sampler
    assert.equal(
      [undefined, false, true].map((parent) => sampler?.(share, parent)),
      expected,
    )
  })
}

test("the end of a trace's id has the random number that decides about recording, so that other programs decide alike", () => {
  for (const share of [0, 0.001, 0.25, 0.5, 0.999_999]) {
    const { traceID } = new Span(undefined, undefined, share)
    assert.match(traceID, /^[\da-f]{32}$/)
    assert.ok(Math.abs(readRandomness(traceID) - share) < 1e-15)
  }
})

const id = "0af7651916cd43dd8448eb211c80319c"
const traceparents: ReadonlyArray<readonly [text: string, isSampled: boolean | undefined]> = [
  [`00-${id}-b7ad6b7169203331-01`, true],
  [`00-${id}-b7ad6b7169203331-00`, false],
  [`00-${id}-b7ad6b7169203331-03`, true],
  [`cc-${id}-b7ad6b7169203331-01-what-comes-later`, true],
  ["", undefined],
  [`ff-${id}-b7ad6b7169203331-01`, undefined],
  [`00-${id}-b7ad6b7169203331-01-more`, undefined],
  [`00-${"0".repeat(32)}-b7ad6b7169203331-01`, undefined],
  [`00-${id}-0000000000000000-01`, undefined],
  [`00-${id.toUpperCase()}-b7ad6b7169203331-01`, undefined],
  [`00-${id}-b7ad6b7169203331`, undefined],
]
for (const [text, isSampled] of traceparents) {
  test(`the traceparent ${text || "of a request without one"} is read as ${isSampled === undefined ? "not valid" : isSampled ? "recorded" : "not recorded"}`, () =>
    assert.is(readTraceparent({ header: (name) => (name === "traceparent" ? text : "") })?.isSampled, isSampled))
}

test("the headers for the next program have the trace, its state and its baggage", () => {
  const sent: Record<string, string> = {
    traceparent: `00-${id}-b7ad6b7169203331-01`,
    tracestate: "a=1,b=2",
    baggage: "tenant=blue",
  }
  const request = { header: (name: string) => sent[name] ?? "" }
  const span = new RecordedSpan("GET", 2, {}, readTraceparent(request), request, 0)
  assert.equal(createTraceHeaders(span, ["tracecontext", "baggage"]), [
    ["traceparent", `00-${id}-${span.spanID}-01`],
    ["tracestate", "a=1,b=2"],
    ["baggage", "tenant=blue"],
  ])
  assert.equal(createTraceHeaders(span, ["baggage"]), [["baggage", "tenant=blue"]])
  assert.equal(createTraceHeaders(new Span(undefined, undefined, 0), ["tracecontext"])[0]?.[1].slice(-2), "00")
})

test.run()
