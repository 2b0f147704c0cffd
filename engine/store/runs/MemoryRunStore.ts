import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Context from "effect/Context"
import { Corpus, type SiteSummary } from "../corpus/Corpus.ts"
import { type SiteFigures, summaryOf, withRun } from "../corpus/SiteFigures.ts"
import { CLOCK_SKEW_MS, currentMicros, formatInstant, parseInstant } from "../database/ColumnValues.ts"
import { type FencingToken, isOver, type Run, targetOf } from "./Run.ts"
import { type EncodedReport, type RunResult, RunStore } from "./RunStore.ts"

/** Maximum number of finished runs in memory; the oldest are evicted first. */
const REMEMBERED = 500

interface Entry {
  readonly run: Run
  readonly worker: string | null
  /** How often it was begun, including attempts that were handed back. */
  readonly begun: number
  readonly result: RunResult | null
}

/** Runs of this process only, for `memory:`, and the sites that they audited. */
export const layerMemory: Layer.Layer<RunStore | Corpus, never, SecureRandom.SecureRandom> = Layer.effectContext(
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const entries = new Map<string, Entry>()
    const lastStarts = new Map<string, number>()

    const entryOf = (id: string): Entry | undefined => entries.get(id.toLowerCase())
    const heldBy = ({ attempt, id, worker }: FencingToken): Entry | null => {
      const entry = entryOf(id)
      return entry?.run.status === "running" && entry.worker === worker && entry.begun === attempt ? entry : null
    }
    const pending = (id: string): Entry | null => {
      const entry = entryOf(id)
      return entry?.run.status === "pending" ? entry : null
    }
    /** Replaces the entry that is found; false if none is. */
    const change = (found: () => Entry | null, next: (entry: Entry) => Entry): Effect.Effect<boolean> =>
      Effect.sync(() => {
        const entry = found()
        if (entry === null) return false
        const changed = next(entry)
        entries.set(entry.run.id, changed)
        if (isOver(changed.run)) forgetOldest(entries)
        return true
      })
    const end = (found: () => Entry | null, ending: Partial<Run>, result: RunResult | null): Effect.Effect<boolean> =>
      Effect.flatMap(currentMicros, (now) =>
        change(found, ({ begun, run }) => ({
          run: { ...run, finishedAt: formatInstant(now), ...ending },
          worker: null,
          begun,
          result
        }))
      )

    const store: RunStore["Service"] = {
      accept: (newRun) =>
        Effect.gen(function* () {
          const [now, id] = [yield* currentMicros, yield* random.uuidV7()]
          const startedAt = Math.max(now, (lastStarts.get(newRun.site) ?? 0) + 1)
          lastStarts.delete(newRun.site)
          lastStarts.set(newRun.site, startedAt)
          dropFirst(lastStarts, REMEMBERED)
          const run: Run = { asAgents: false, ...newRun, id, startedAt: formatInstant(startedAt), ...FRESH }
          entries.set(id, { run, worker: null, begun: 0, result: null })
          return run
        }),
      find: (id) => Effect.sync(() => entryOf(id)?.run ?? null),
      report: (id) => Effect.sync(() => reportOf(entryOf(id))),
      latest: (url, rubricDigest, since, asAgents = false) =>
        Effect.map(currentMicros, (now) => {
          const oldest = since === null ? Infinity : (parseInstant(since) ?? Infinity)
          const isRecent = (finished: number): boolean => finished >= oldest && finished <= now + CLOCK_SKEW_MS * 1_000
          const counts = (run: Run): boolean =>
            !isOver(run) || (run.status === "done" && isRecent(parseInstant(run.finishedAt ?? "") ?? 0))
          const runs = [...entries.values()].map(({ run }) => run)
          const target = targetOf(url, rubricDigest, asAgents)
          return (
            runs.findLast((run) => counts(run) && targetOf(run.url, run.rubricDigest, run.asAgents) === target) ?? null
          )
        }),
      begin: (id, worker, rubricDigest = null) =>
        Effect.map(
          change(
            () => pending(id),
            ({ begun, run }) => ({
              run: {
                ...run,
                status: "running",
                attempts: run.attempts + 1,
                rubricDigest: rubricDigest ?? run.rubricDigest
              },
              worker,
              begun: begun + 1,
              result: null
            })
          ),
          (changed) => {
            const entry = changed ? entryOf(id) : undefined
            return entry === undefined
              ? null
              : { ...entry.run, hold: { id: entry.run.id, worker, attempt: entry.begun } }
          }
        ),
      progress: (hold, progress) =>
        change(
          () => heldBy(hold),
          (entry) => ({ ...entry, run: { ...entry.run, progress } })
        ),
      isCurrent: (hold) => Effect.sync(() => heldBy(hold) !== null),
      finish: (hold, result) =>
        end(() => heldBy(hold), { status: "done", totalScore: result.totalScore, reliable: result.reliable }, result),
      fail: (hold, error) => end(() => heldBy(hold), { status: "error", error }, null),
      release: (hold) =>
        change(
          () => heldBy(hold),
          ({ begun, run }) => ({
            run: {
              ...run,
              status: "pending",
              attempts: run.attempts - 1,
              progress: { done: 0, total: run.progress.total }
            },
            worker: null,
            begun,
            result: null
          })
        ),
      giveUp: (id, error) => end(() => pending(id), { status: "error", error }, null),
      unfinished: (limit) =>
        Effect.sync(() =>
          [...entries.values()]
            .filter(({ run }) => !isOver(run))
            .sort((one, other) => (parseInstant(one.run.startedAt) ?? 0) - (parseInstant(other.run.startedAt) ?? 0))
            .slice(0, limit)
            .map(({ run, worker }) => ({ run, worker }))
        ),
      waiting: Effect.sync(() => {
        const waiting = [...entries.values()].flatMap(({ run }) => (run.status === "pending" ? [run.startedAt] : []))
        return { count: waiting.length, oldest: waiting.sort()[0] ?? null }
      }),
      ping: Effect.void
    }
    const corpus = Corpus.withoutFigures((names) =>
      Effect.sync(() => {
        const done = [...entries.values()].filter(({ run }) => run.status === "done")
        return names.flatMap((name) => summaryIn(done, name))
      })
    )
    return Context.make(RunStore, store).pipe(Context.add(Corpus, corpus))
  })
)

/** The summary of a site, from the `done` runs of all sites. */
const summaryIn = (done: ReadonlyArray<Entry>, site: string): ReadonlyArray<SiteSummary> => {
  const runs = done
    .filter(({ run }) => run.site === site)
    .map(({ run }) => ({ run, startedAt: parseInstant(run.startedAt) ?? 0 }))
    .toSorted((one, other) => one.startedAt - other.startedAt)
  const figures = runs.reduce<SiteFigures | null>(
    (before, { run, startedAt }) =>
      withRun(before, {
        url: run.url,
        startedAt,
        score: run.totalScore ?? 0,
        reliable: run.reliable === true,
        rubric: run.rubricDigest,
        outcomes: ""
      }),
    null
  )
  return figures === null ? [] : [summaryOf({ ...figures, name: site, latestRunId: runs.at(-1)?.run.id ?? null })]
}

const FRESH = {
  status: "pending",
  finishedAt: null,
  attempts: 0,
  progress: { done: 0, total: 0 },
  totalScore: null,
  reliable: null,
  error: null
} as const

/** Unfinished runs are never evicted. */
const forgetOldest = (entries: Map<string, Entry>): void => {
  const over = [...entries.values()].filter(({ run }) => isOver(run))
  for (const { run } of over.slice(0, Math.max(0, over.length - REMEMBERED))) entries.delete(run.id)
}

const dropFirst = (map: Map<string, number>, most: number): void => {
  const [first] = map.keys()
  if (map.size > most && first !== undefined) map.delete(first)
}

const reportOf = (entry: Entry | undefined): EncodedReport | null => {
  if (entry === undefined || entry.result === null) return null
  const { bytes, durationMs, encoded, requests } = entry.result
  return { run: entry.run, encoded, durationMs, requests, bytes }
}
