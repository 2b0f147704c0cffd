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

const resource = { serviceName: "docgauge", serviceVersion: ENGINE_VERSION }

/** What the environment may say otherwise. */
const DEFAULTS = ConfigProvider.fromEnvRecord({ OTEL_TRACES_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "otlp" })

const exporting = Layer.mergeAll(OtlpTracer.layerFromConfig({ resource }), OtlpMetrics.layerFromConfig({ resource })).pipe(
  Layer.provide(OtlpSerialization.layerJson),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(ConfigProvider.layerAdd(DEFAULTS))
)

/** Traces and metrics through OpenTelemetry, where `OTEL_EXPORTER_OTLP_ENDPOINT` says where to; nothing otherwise. */
export const layerTracing: Layer.Layer<OtlpExporter.Flusher, Config.ConfigError> = Layer.unwrap(
  Effect.map(Config.option(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT")), (endpoint) =>
    Option.isSome(endpoint) && endpoint.value !== "" ? exporting : OtlpExporter.layerFlusher)
)
