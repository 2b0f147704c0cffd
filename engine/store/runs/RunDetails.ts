import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { orUnavailable, ReadClient } from "../database/SqlDatabase.ts"
import { type Int, unpack } from "../database/ColumnValues.ts"
import { type Run, runColumns, runOf, type RunRow } from "./Run.ts"
import type { StoredFacts } from "./RunStore.ts"
import type { Stored } from "../database/StoreUnavailable.ts"

/** A run with the facts of its plugins. */
interface MeasuredRun {
  readonly run: Run
  readonly facts: ReadonlyArray<StoredFacts>
}

interface CorpusPage {
  readonly runs: ReadonlyArray<MeasuredRun>
  /** The cursor of the next page; `null`: this is the last. */
  readonly next: number | null
}

/** Finished runs with the facts of their plugins, for rescoring. */
export class RunDetails extends Context.Service<
  RunDetails,
  {
    /** The newest `done` run of every site, page by page, in the order in which the sites were first seen; from `0` on. */
    readonly corpus: (from: number, limit: number) => Stored<CorpusPage>
  }
>()("docgauge/store/RunDetails") {
  static readonly layerSql: Layer.Layer<RunDetails, never, ReadClient> = Layer.effect(
    RunDetails,
    Effect.gen(function* () {
      const read = yield* ReadClient
      const corpus = Effect.fnUntraced(function* (from: number, limit: number): Effect.fn.Return<CorpusPage, SqlError> {
        // The page of sites first: PostgreSQL would join all runs otherwise.
        const rows = yield* read<MeasuredRow>`
          SELECT ${runColumns(read)}, newest.site AS at_site, facts.content
          FROM (SELECT site, latest_run_at FROM site_figures WHERE site >= ${from} ORDER BY site LIMIT ${limit}) newest
          JOIN runs ON runs.site = newest.site AND runs.started_at = newest.latest_run_at
          JOIN facts ON facts.run = runs.serial
          ORDER BY newest.site`
        const last = rows.at(-1)
        return {
          runs: rows.map((row) => ({ run: runOf(row), facts: readFacts(unpack(row.content)) })),
          next: last === undefined || rows.length < limit ? null : Number(last.at_site) + 1
        }
      })

      return { corpus: (from, limit) => orUnavailable(corpus(from, limit)) }
    })
  )
}

interface MeasuredRow extends RunRow {
  readonly at_site: Int
  readonly content: Uint8Array
}

const Facts = Schema.Array(
  Schema.Struct({
    criterion: Schema.String,
    plugin: Schema.String,
    revision: Schema.Number,
    params: Schema.Record(Schema.String, Schema.Unknown),
    facts: Schema.NullOr(Schema.Record(Schema.String, Schema.Union([Schema.Number, Schema.Boolean, Schema.String])))
  })
)

const readFacts: (text: string) => ReadonlyArray<StoredFacts> = Schema.decodeUnknownSync(Schema.fromJsonString(Facts))
