import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import process from "node:process"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { ownMetrics } from "./Metrics.ts"

/*
 * Logs go to stderr, one line per event. JSON escapes untrusted text in a message; on a terminal, control characters are made
 * visible. Secrets are `Redacted` values, which do not print.
 */

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text with its control characters made visible. */
export const visible = (text: string): string =>
  text.replace(CONTROL, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, "0")}`)

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof Error) return value.message
  return JSON.stringify(value) ?? String(value)
}

const partsOf = (message: unknown): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])

/** An event as a JSON object. */
export const jsonLine = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const [said, ...details] = partsOf(message).filter((part) => !Cause.isCause(part))
  const causes = [cause, ...partsOf(message).filter(Cause.isCause)].filter((one) => one.reasons.length > 0)
  return JSON.stringify({
    time: date.toISOString(),
    level: logLevel.toLowerCase(),
    message: textOf(said ?? ""),
    ...fiber.getRef(References.CurrentLogAnnotations),
    ...(details.length === 0 ? {} : { details: details.map(textOf) }),
    ...(causes.length === 0 ? {} : { cause: causes.map((one) => Cause.pretty(one)).join("\n") })
  })
})

/** An event for people. */
export const terminalLine = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const causes = [cause, ...partsOf(message).filter(Cause.isCause)].filter((one) => one.reasons.length > 0)
  const said = partsOf(message)
    .filter((part) => !Cause.isCause(part))
    .map((part) => visible(textOf(part)))
    .join(" ")
  const annotations = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
    .map(([key, value]) => ` ${key}=${visible(textOf(value))}`)
    .join("")
  const explained = causes
    .map(
      (one) =>
        `\n${Cause.pretty(one)
          .split("\n")
          .map((line) => `  ${visible(line)}`)
          .join("\n")}`
    )
    .join("")
  return `${date.toISOString().slice(11, 19)} ${logLevel.toUpperCase().padEnd(5)} ${said}${annotations}${explained}`
})

const toStderr = (lines: Logger.Logger<unknown, string>) =>
  Logger.map(lines, (line) => {
    process.stderr.write(`${line}\n`)
  })

/** JSON lines, or readable ones if stderr is a terminal. */
export const layerLogging: Layer.Layer<never> = Logger.layer([toStderr(process.stderr.isTTY ? terminalLine : jsonLine)])

/*
 * Names and attributes of spans as the semantic conventions of OpenTelemetry have them, where Effect's spans do not know enough as they begin.
 */

/** What the middleware knows of a request behind proxies; Effect sets these at the end of the span, from the connection. */
const OF_CLIENT: ReadonlySet<string> = new Set(["client.address", "url.scheme"])

const OPERATION =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|CREATE|ALTER|DROP)\b/iu
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+"?([a-z_]\w*)/iu

/** `GET /api/public/audit/:id` of a request with a route, `SELECT runs` of a statement. */
const nameOf = (name: string, attributes: ReadonlyMap<string, unknown>): string => {
  const route = attributes.get("http.route")
  const method = attributes.get("http.request.method")
  if (typeof route === "string" && typeof method === "string") return route === "*" ? method : `${method} ${route}`
  const statement = attributes.get("db.query.text")
  const [operation] = typeof statement === "string" ? (OPERATION.exec(statement) ?? []) : []
  if (typeof statement !== "string" || operation === undefined) return name
  const [, table] = TABLE.exec(statement) ?? []
  return [operation.toUpperCase(), ...(table === undefined ? [] : [table])].join(" ")
}

/** The span with a name by its attributes, which are complete once it is exported. */
const named = (span: Tracer.Span): Tracer.Span => {
  const { name } = span
  const set = span.attribute.bind(span)
  return Object.defineProperties(span, {
    name: { get: () => nameOf(name, span.attributes) },
    attribute: {
      value: (key: string, value: unknown) => {
        if (!OF_CLIENT.has(key) || !span.attributes.has(key)) set(key, value)
      }
    }
  })
}

/** The tracer around, with such names. */
const layerSpanNames: Layer.Layer<never> = Layer.effect(
  Tracer.Tracer,
  Effect.map(Effect.tracer, (tracer) =>
    Tracer.make({
      span: (options) => {
        const span = tracer.span(options)
        return options.kind === "server" || options.kind === "client" ? named(span) : span
      },
      context: tracer.context
    })
  )
)

const resource = { serviceName: "docgauge", serviceVersion: ENGINE_VERSION }

/** Defaults that the environment may override. */
const DEFAULTS = ConfigProvider.fromEnvRecord({ OTEL_TRACES_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "otlp" })

const exporting = layerSpanNames.pipe(
  Layer.provideMerge(
    Layer.mergeAll(OtlpTracer.layerFromConfig({ resource }), OtlpMetrics.layerFromConfig({ resource }))
  ),
  Layer.provide(OtlpSerialization.layerJson),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(ownMetrics),
  Layer.provide(ConfigProvider.layerAdd(DEFAULTS))
)

/** Exports traces and metrics through OpenTelemetry if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. */
export const layerTracing: Layer.Layer<OtlpExporter.Flusher, Config.ConfigError> = Layer.unwrap(
  Effect.map(Config.option(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT")), (endpoint) =>
    Option.isSome(endpoint) && endpoint.value !== "" ? exporting : OtlpExporter.layerFlusher
  )
)
