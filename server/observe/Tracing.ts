import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { ownMetrics } from "./Metrics.ts"

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
