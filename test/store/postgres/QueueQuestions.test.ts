import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { AuditQueue } from "../../../engine/schedule/AuditQueue.ts"
import { guest } from "../../../engine/schedule/queue/QueueStore.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { postgres, storeAt } from "../Databases.ts"
import { newRun } from "../SampleRuns.ts"

const DOCS = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8")

/** The statements that operators read. */
const [, STATEMENTS = ""] = /<!-- queue:begin -->\n```sql\n([^`]+)```/.exec(DOCS) ?? []

it.live.skipIf(!postgres.available)(
  "the statements of docs/operating.md tell what is audited, what is next and that runs and jobs agree",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const stores = storeAt(yield* postgres.fresh)
        yield* Effect.provide(
          Effect.gen(function* () {
            const [sql, runs, queue] = [yield* SqlClient, yield* RunStore, yield* AuditQueue]
            const accept = Effect.fnUntraced(function* (host: string) {
              const run = yield* runs.accept(newRun(host))
              yield* queue.offer(run, guest("192.0.2.0/24"))
              return run.id
            })
            const first = yield* accept("docs.example.com")
            const ofSameDomain = yield* accept("api.example.com")
            const ofOther = yield* accept("docs.example.org")
            yield* queue.claim()
            const [counts, audited, next, wrong, ...others] = yield* Effect.forEach(
              STATEMENTS.split(/;\n/u).filter((statement) => statement.trim() !== ""),
              (statement) => sql.unsafe(statement)
            )
            expect(others).toEqual([])
            expect(counts).toMatchObject([{ state: "created" }, { state: "active" }])
            expect(audited).toMatchObject([{ id: first }])
            expect(next).toMatchObject([
              { id: ofSameDomain, domain_is_busy: true },
              { id: ofOther, domain_is_busy: false }
            ])
            expect(wrong).toEqual([])
          }),
          AuditQueue.layerSql.pipe(Layer.provideMerge(stores))
        )
      })
    )
)
