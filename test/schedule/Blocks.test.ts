import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Audited, Auditor } from "../../engine/schedule/Auditor.ts"
import { layerDatabase } from "../../engine/store/Database.ts"
import { SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import { dialectsOfSeveral } from "../store/Databases.ts"
import { audited, awaitDone, idOf, onDatabase, start, submit } from "./TestService.ts"

const OTHER = "api.example.com"

describe.each(dialectsOfSeveral.filter(({ available }) => available))(
  "a site that is blocked while another of its domain is audited, on $name",
  ({ fresh }) => {
    /** Audits `docs.example.com`, and blocks `OTHER` in the middle of the first attempt. */
    const auditedMeanwhile = Effect.fnUntraced(function* (
      first: (block: Effect.Effect<void>, result: Audited) => Effect.Effect<Audited>
    ) {
      const address = yield* fresh
      const operator = yield* start(SiteBlocks.layerSql.pipe(Layer.provide(layerDatabase(address)), Layer.orDie))
      const block = operator.here(SiteBlocks.use(({ put }) => put(OTHER, ""))).pipe(Effect.orDie, Effect.asVoid)
      const known: Array<ReadonlyArray<string>> = []
      const archives: Array<string> = []
      const audit: Auditor["Service"]["audit"] = (run, _observer, { blockedSites = [] } = {}) =>
        Effect.suspend(() => {
          known.push(blockedSites)
          return known.length === 1 ? first(block, audited(run)) : Effect.succeed(audited(run))
        })
      const process = yield* start(
        onDatabase(address, {
          audit,
          archive: ({ attempt }) => {
            archives.push(`attempt ${attempt}`)
          },
          unarchive: () => {
            archives.push("none")
          }
        })
      )
      const id = idOf(yield* process.here(submit("docs.example.com")))
      const run = yield* process.here(awaitDone(id))
      return { archives, known, run }
    })

    /** The attempt is handed back, and the next one knows of the block. */
    const AGAIN: ReadonlyArray<ReadonlyArray<string>> = [[], [OTHER]]

    it.live("ends the audit, of which nothing is kept, and it begins again", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { archives, known, run } = yield* auditedMeanwhile((block) => Effect.andThen(block, Effect.never))
          assert.deepStrictEqual([known, archives], [AGAIN, ["attempt 2"]])
          assert.deepInclude(run, { status: "done", attempts: 1 })
        })
      )
    )

    it.live("is noticed before the result of an audit that ended meanwhile is stored", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { archives, known, run } = yield* auditedMeanwhile((block, result) => Effect.as(block, result))
          assert.deepStrictEqual([known, archives], [AGAIN, ["attempt 2"]])
          assert.deepInclude(run, { status: "done", attempts: 1 })
        })
      )
    )

    it.live("is noticed before the report is stored if the archive was being written, which is deleted", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { archives, known, run } = yield* auditedMeanwhile((block, { archive, result }) =>
            Effect.succeed({ result, archive: Effect.andThen(block, archive) })
          )
          assert.deepStrictEqual([known, archives], [AGAIN, ["attempt 1", "none", "attempt 2"]])
          assert.deepInclude(run, { status: "done", attempts: 1 })
        })
      )
    )
  }
)
