/*
 * How many due scheduled audits a second one process submits, of 500 that are due at once, over loopback to a PostgreSQL of its own and
 * over a line of 2.6 ms there and back.
 *
 * `node test/bench/database/schedules.ts [DUE]` (500 unless given).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { layerDatabase, postgresAt } from "../../../engine/store/Database.ts"
import { ScheduleStore } from "../../../engine/store/operators/ScheduleStore.ts"
import { Targets } from "../../../server/audits/Targets.ts"
import { scheduledAudits, ScheduleInterval } from "../../../server/background/ScheduledAudits.ts"
import { makeTcpProxy } from "../../chaos/TcpProxy.ts"
import { makePostgres } from "../../harness/PostgresCluster.ts"
import { audited, onDatabase, wanted } from "../../schedule/TestService.ts"
import { heldAtLeast } from "../measure/Table.ts"

const DUE = Number(process.argv[2] ?? 500)

const targetOf = (url: string) => {
  const { hostname } = new URL(url)
  return Effect.succeed({ run: wanted(hostname), hostname, address: url, led: false })
}

/** Seconds until all are submitted. */
const measured = (url: string, direct: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* Effect.map(Layer.build(layerDatabase(postgresAt(direct))), (context) =>
        Context.get(context, SqlClient)
      )
      for (const table of ["limit_reservations", "limit_buckets", "schedules", "runs", "sites"])
        yield* sql`DELETE FROM ${sql(table)}`
      yield* sql`INSERT INTO schedules (id, url, every_ms, next_at) SELECT n, 'https://docs.site' || n || '.dev', 86400000, 0 FROM generate_series(1, ${DUE}::int) n`
      const process = onDatabase(postgresAt(url), {
        audit: (run) => Effect.succeed(audited(run)),
        schedule: { concurrency: 0 },
        settings: { hostBudget: { amount: 600, windowMs: 3_600_000 }, queueLimit: 10_000 }
      })
      yield* Layer.build(
        scheduledAudits.pipe(
          Layer.provide(ScheduleStore.layerSql),
          Layer.provide(process),
          Layer.provide(
            Layer.succeed(Targets, {
              read: () => Effect.die("not asked"),
              lookUp: () => Effect.void,
              readForOperator: targetOf
            })
          ),
          Layer.provide(Layer.succeed(ScheduleInterval, "100 millis"))
        )
      )
      const settled = Effect.map(
        sql<{ readonly left: number }>`SELECT COUNT(*)::int AS left FROM schedules WHERE last_run IS NULL`,
        ([row]) => row?.left === 0
      )
      yield* Effect.repeat(
        Effect.delay(
          sql<{ readonly left: number }>`SELECT COUNT(*)::int AS left FROM schedules WHERE last_run IS NULL`,
          5
        ),
        { until: ([row]) => row?.left !== DUE }
      )
      const startedAt = performance.now()
      yield* Effect.repeat(Effect.delay(settled, 20), { until: (all) => all })
      return (performance.now() - startedAt) / 1_000
    })
  )

const cluster = await makePostgres()
const proxy = await makeTcpProxy(cluster.port, 2.6)
try {
  const far = cluster.url.replace(`:${cluster.port}/`, `:${proxy.port}/`)
  for (const [line, url] of [
    ["loopback", cluster.url],
    ["loopback, again", cluster.url],
    ["2.6 ms", far]
  ] as const) {
    const seconds = await Effect.runPromise(measured(url, cluster.url))
    process.stdout.write(`${DUE} due at once, ${line}: ${heldAtLeast(DUE / seconds, 50, 0)} a second\n`)
  }
} finally {
  await proxy.close()
  await cluster.remove()
}
