/**
 * Fills an empty database with a generated corpus, for benchmarks and for trying out pages.
 *
 *     node scripts/seed.ts DATABASE [--runs 1000000] [--sites 100000] [--days 365]
 *
 * DATABASE is as in `DOCGAUGE_DATABASE_URL`: `file:PATH` or `postgres://…`.
 */
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import { databaseOf, layerDatabase } from "../engine/store/Database.ts"
import { seed } from "../test/bench/seed.ts"

const {
  positionals: [database = ""],
  values
} = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "1000000" },
    sites: { type: "string", default: "100000" },
    days: { type: "string", default: "365" }
  }
})

const address = databaseOf(database)
if (address === null || address._tag === "Memory") {
  console.error("usage: node scripts/seed.ts file:PATH|postgres://… [--runs N] [--sites N] [--days N]")
  process.exitCode = 2
} else {
  const size = { runs: Number(values.runs), sites: Number(values.sites), days: Number(values.days), reportBytes: 2_000 }
  await Effect.runPromise(Effect.provide(seed(size, Date.now() * 1_000), layerDatabase(address)))
}
