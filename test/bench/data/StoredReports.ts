import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerStorage } from "../../../server/Storage.ts"
import { goldenReport, reportFor, storeRun } from "../../browser/SeededRuns.ts"

/** Runs of the site that is measured: a year of monthly audits. */
const RUNS = 12

/** Puts reports of real audits into a database that no service uses yet; returns the id of the newest run of a site with some history. */
export const storeReports = (databaseUrl: string): Promise<string> => {
  const env = ConfigProvider.layer(
    ConfigProvider.fromEnvRecord({ DOCGAUGE_DATABASE_URL: databaseUrl, DOCGAUGE_ARCHIVES: "off" })
  )
  const runs = Effect.gen(function* () {
    for (const name of ["excellent", "typical", "client-rendered"] as const) yield* storeRun(goldenReport(name))
    const ids = yield* Effect.forEach(
      Array.from({ length: RUNS }, (_, index) => index),
      (more) => storeRun(reportFor(goldenReport("poor"), "https://docs.example.dev", more))
    )
    return ids.at(-1) ?? ""
  })
  return Effect.runPromise(
    runs.pipe(Effect.provide(layerStorage), Effect.provide(Layer.mergeAll(env, NodeServices.layer)))
  )
}
