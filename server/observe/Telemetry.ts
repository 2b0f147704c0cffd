import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Option from "effect/Option"
import * as References from "effect/References"
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

const resource = { serviceName: "docgauge", serviceVersion: ENGINE_VERSION }

/** Defaults that the environment may override. */
const DEFAULTS = ConfigProvider.fromEnvRecord({ OTEL_TRACES_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "otlp" })

const exporting = Layer.mergeAll(
  OtlpTracer.layerFromConfig({ resource }),
  OtlpMetrics.layerFromConfig({ resource })
).pipe(
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
