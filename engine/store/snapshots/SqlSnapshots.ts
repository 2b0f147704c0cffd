import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { sitesAbove } from "../../evidence/Address.ts"
import { currentMicros } from "../database/ColumnValues.ts"
import { ended, isDue, renewing } from "../database/SqlDialect.ts"
import { DatabaseHealth, orUnavailable, ReadClient, Transactions, withinWait } from "../database/SqlDatabase.ts"
import { type Stored, StoreUnavailable } from "../database/StoreUnavailable.ts"
import { AdoptionTally, keepAdoption, readAdoptionSeries } from "./AdoptionWeeks.ts"
import { csvHeader, csvOf, exportedSite, ndjsonOf, type RubricVersions } from "./ExportedSite.ts"
import { GZIP_HEAD, gzipTail, GzipWriter, partContent } from "./GzipParts.ts"
import {
  areThere,
  blockedSites,
  deleteOrphans,
  dropOld,
  findPart,
  hasSites,
  hasSitesOrParts,
  isMade,
  judgedCriteria,
  markMade,
  newestSnapshot,
  type SitesPage,
  sitesPage
} from "./SnapshotRows.ts"
import { isoWeekOf, type Snapshot, type SnapshotCoding, type SnapshotPass, Snapshots } from "./Snapshots.ts"

/** The name under which one process at a time makes snapshots, and after how long another one takes over from one that died. */
const WORK = "snapshots"
const TAKE_OVER_MS = 60_000

/** How many sites are read at once and make one part: some 200 KB as text, a twentieth of that compressed. More would keep the thread busy for long. */
export const SitesOfPart = Context.Reference<number>("docgauge/store/SitesOfPart", { defaultValue: () => 100 })

/** The snapshot in the making was withdrawn, or it cannot show what the corpus has by now. */
class Withdrawn extends Schema.TaggedError<Withdrawn>()("Withdrawn", {}) {}

/** A snapshot in the making. */
interface Draft {
  readonly id: string
  readonly writer: GzipWriter
}

/** Both formats of a week. */
interface Drafts {
  readonly week: string
  readonly ndjson: Draft
  readonly csv: Draft
}

/** Snapshots in the database, in parts that fit into memory, so that every process has them, whichever made them. */
export const layerSql: Layer.Layer<
  Snapshots,
  never,
  SqlClient | ReadClient | DatabaseHealth | Transactions | SecureRandom.SecureRandom
> = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const read = yield* ReadClient
    const transactions = yield* Transactions
    const random = yield* SecureRandom.SecureRandom
    const { watch } = yield* DatabaseHealth
    const sitesOfPart = yield* SitesOfPart
    const answered = <A>(effect: Effect.Effect<A, SqlError>) => withinWait(watch(effect))

    /** One after the other with `withdraw`: what begins after it reads what it left, and it finds what began before. */
    const alone = <A, E>(effect: Effect.Effect<A, E | SqlError>) => transactions.alone(WORK, orUnavailable(effect))

    const begin = Effect.fnUntraced(function* (week: string): Effect.fn.Return<Drafts, StoreUnavailable> {
      const begun_at = yield* currentMicros
      const [ndjson, csv] = [
        { id: yield* random.uuidV7(), writer: new GzipWriter() },
        { id: yield* random.uuidV7(), writer: new GzipWriter() }
      ]
      const rows = sql.insert([
        { id: ndjson.id, week, format: "ndjson", begun_at },
        { id: csv.id, week, format: "csv", begun_at }
      ])
      // Those that are not made were left by a process that died.
      yield* alone(Effect.andThen(sql`DELETE FROM snapshots WHERE made_at IS NULL`, sql`INSERT INTO snapshots ${rows}`))
      return { week, ndjson, csv }
    })

    const append = Effect.fnUntraced(function* ({ id, writer }: Draft, text: string) {
      const { content, number } = yield* Effect.promise(() => writer.part(text))
      yield* sql`INSERT INTO snapshot_parts ${sql.insert({ snapshot: id, part: number, content })}`
    })

    const publish = Effect.fnUntraced(function* ({ csv, ndjson, week }: Drafts, sites: number, tally: AdoptionTally) {
      const now = yield* currentMicros
      for (const { id, writer } of [ndjson, csv])
        if (!(yield* markMade(sql, id, now, sites, writer.end()))) return yield* new Withdrawn()
      yield* dropOld(sql, week, [ndjson.id, csv.id])
      yield* keepAdoption(sql, tally, week, now)
    })

    /** Reads all sites, page by page, and returns their number. */
    const write = Effect.fnUntraced(function* (drafts: Drafts, rubrics: RubricVersions) {
      const { csv, ndjson } = drafts
      const [blocked, criteria] = [yield* blockedSites(read), yield* judgedCriteria(read)]
      const [known, tally] = [new Set(criteria), new AdoptionTally()]
      let sites = 0
      yield* append(csv, csvHeader(criteria))
      for (let after: number | null = 0; after !== null;) {
        if (!(yield* areThere(read, [ndjson.id, csv.id]))) return yield* new Withdrawn()
        const page: SitesPage = yield* sitesPage(read, after, sitesOfPart)
        after = page.last
        const shown = page.sites.filter(({ figures }) => !sitesAbove(figures.name).some((site) => blocked.has(site)))
        if (shown.length === 0) continue
        for (const { figures, generator, outcomes } of shown) {
          // A rubric that no site had been judged by when the header was written.
          if (outcomes.some(({ id }) => !known.has(id))) return yield* new Withdrawn()
          if (figures.reliable) tally.add(generator, outcomes)
        }
        const exported = shown.map(({ figures, generator, outcomes }) =>
          exportedSite(figures, outcomes, generator, rubrics)
        )
        yield* append(ndjson, ndjsonOf(exported))
        yield* append(csv, csvOf(exported, criteria))
        sites += shown.length
      }
      yield* alone(publish(drafts, sites, tally))
      return sites
    })

    const makeOnce = Effect.fnUntraced(function* (week: string, rubrics: Effect.Effect<RubricVersions>) {
      // Another process may have made it since this one looked.
      if (yield* isMade(sql, week)) return NOTHING_TO_DO
      yield* deleteOrphans(sql)
      if (!(yield* hasSites(sql))) return NOTHING_TO_DO
      const sites = yield* write(yield* begin(week), yield* rubrics)
      yield* deleteOrphans(sql)
      return { _tag: "Made", week, sites } satisfies SnapshotPass
    })

    const make = Effect.fnUntraced(function* (rubrics: Effect.Effect<RubricVersions>) {
      const week = isoWeekOf(yield* Clock.currentTimeMillis)
      if ((yield* isMade(read, week)) || !(yield* hasSitesOrParts(read))) return NOTHING_TO_DO
      if (!(yield* isDue(sql, WORK, TAKE_OVER_MS))) return NOTHING_TO_DO
      return yield* Effect.raceFirst(makeOnce(week, rubrics), renewing(sql, WORK, TAKE_OVER_MS)).pipe(
        Effect.ensuring(Effect.ignore(ended(sql, WORK)))
      )
    })

    const partOf = Effect.fnUntraced(function* ({ id, week }: Snapshot, number: number) {
      const part = yield* answered(findPart(read, id, number))
      return part ?? (yield* new StoreUnavailable({ cause: new Error(`the snapshot of ${week} was withdrawn`) }))
    })

    const content = (snapshot: Snapshot, coding: SnapshotCoding): Stream.Stream<Uint8Array, StoreUnavailable> => {
      // One by one, or a client that reads slowly would have many of them in memory.
      const parts = Stream.mapEffect(Stream.range(0, snapshot.parts - 1, 1), (number) => partOf(snapshot, number))
      return coding === "identity"
        ? Stream.mapEffect(parts, (part) => Effect.promise(() => partContent(part)))
        : Stream.make(GZIP_HEAD).pipe(Stream.concat(parts), Stream.concat(Stream.make(gzipTail(snapshot))))
    }

    return {
      areKept: true,
      newest: (format) => answered(newestSnapshot(read, format)),
      content,
      make: (rubrics): Stored<SnapshotPass> =>
        Effect.catchTag(orUnavailable(make(rubrics)), "Withdrawn", () =>
          Effect.succeed({ _tag: "Abandoned" as const })
        ),
      withdraw: Effect.asVoid(alone(sql`DELETE FROM snapshots`)),
      adoption: (filter) => answered(readAdoptionSeries(read, filter))
    }
  })
)

const NOTHING_TO_DO: SnapshotPass = { _tag: "NothingToDo" }
