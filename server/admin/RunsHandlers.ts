import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Pause, QueuePause } from "../../engine/schedule/AuditQueue.ts"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { type ManagedRun as StoredRun, Moderation, type RunFilter } from "../../engine/store/operators/Moderation.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { Submissions } from "../audits/Submissions.ts"
import { orUnavailable } from "../http/errors/Refusals.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { Conflict, Malformed, Missing, Operator } from "./api/AdminErrors.ts"
import { adminApi } from "./api/AdminApi.ts"
import { cursorNumber } from "./api/Described.ts"
import type { ManagedRunBody, QueueState } from "./api/RunsGroup.ts"
import { siteOfText } from "./AccessLayer.ts"
import { RunDeletion } from "./RunDeletion.ts"

/** Default number of runs per page. */
const PAGE = 50

const inBrief = ({ reliable, startedAt, status, totalScore, url }: Run): string =>
  `${url}, ${status}${totalScore === null ? "" : ` with ${reliable === true ? "" : "at least "}${totalScore} points`}, accepted ${startedAt}`

/** A run in the form of the admin API. */
const shownRun = ({ begunAt, hidden, run, worker }: StoredRun): ManagedRunBody => ({
  run_id: run.id,
  status: run.status,
  base_url: run.url,
  site: run.site,
  domain: run.domain,
  started_at: run.startedAt,
  begun_at: begunAt,
  finished_at: run.finishedAt,
  as_agents: run.asAgents,
  attempts: run.attempts,
  worker,
  total_score: run.totalScore,
  reliable: run.reliable,
  error: run.error?.message ?? null,
  hidden
})

/** /api/admin/runs. */
export const runsHandlers = HttpApiBuilder.group(
  adminApi,
  "managedRuns",
  Effect.fnUntraced(function* (handlers) {
    const moderation = yield* Moderation
    const scheduler = yield* Scheduler
    const submissions = yield* Submissions
    const changes = yield* AdminChanges
    const deletion = yield* RunDeletion

    const existing = Effect.fnUntraced(function* (id: string) {
      const found = yield* moderation.find(id)
      return found ?? (yield* new Missing({ error: "There is no such run.", code: "not_found" }))
    })

    const list = Effect.fnUntraced(function* (filter: RunFilter, cursor: string | undefined, limit: number) {
      const before = cursor === undefined ? null : cursorNumber(cursor)
      if (before === null && cursor !== undefined)
        return yield* new Malformed({ error: "query.cursor: use the next_cursor of a page" })
      const found = yield* moderation.list(filter, before, limit + 1)
      const page = found.slice(0, limit)
      return { runs: page.map(shownRun), next_cursor: found.length > limit ? String(page.at(-1)?.serial ?? "") : "" }
    })

    const audit = Effect.fnUntraced(function* (baseUrl: string) {
      // No transaction should wait for a DNS lookup.
      const wanted = yield* submissions.wanted(baseUrl)
      return yield* changes.make(
        Effect.map(scheduler.insist(wanted), ({ _tag, run: { id } }) => ({
          value: { run_id: id, joined: _tag === "Joined" },
          action: "run.audit",
          subject: id,
          before: null,
          after: wanted.url
        }))
      )
    })

    const setHidden = (id: string, hidden: boolean) =>
      changes.make(
        Effect.gen(function* () {
          const before = yield* existing(id)
          yield* deletion.setHidden(id, hidden)
          const word = (isHidden: boolean): string => (isHidden ? "hidden" : "shown")
          return {
            value: shownRun({ ...before, hidden }),
            action: hidden ? "run.hide" : "run.show",
            subject: id,
            before: word(before.hidden),
            after: word(hidden)
          }
        })
      )

    const remove = (id: string) =>
      changes.make(
        Effect.gen(function* () {
          const { run } = yield* existing(id)
          if (run.status === "pending" || run.status === "running")
            return yield* new Conflict({ error: "The run has not finished.", code: "under_way" })
          yield* deletion.takeBack([run])
          return { value: undefined, action: "run.delete", subject: id, before: inBrief(run), after: null }
        })
      )

    return handlers.handleAll({
      listRuns: ({ query: { cursor, hidden = null, limit = PAGE, site, status = null } }) =>
        orUnavailable(
          Effect.flatMap(site === undefined ? Effect.succeed(null) : siteOfText(site), (site) =>
            list({ site, status, hidden }, cursor, limit)
          )
        ),
      submitRun: ({ payload }) => orUnavailable(audit(payload.base_url)),
      auditAgain: ({ params: { id } }) => orUnavailable(Effect.flatMap(existing(id), ({ run }) => audit(run.url))),
      hideRun: ({ params: { id } }) => orUnavailable(setHidden(id, true)),
      showRun: ({ params: { id } }) => orUnavailable(setHidden(id, false)),
      deleteRun: ({ params: { id } }) => orUnavailable(remove(id))
    })
  })
)

/** Runs in the response. */
const MOST = 100

const pauseInBrief = (pause: Pause | null): string =>
  pause === null ? "running" : `paused by ${pause.by} since ${pause.since}`

/** /api/admin/queue. */
export const queueHandlers = HttpApiBuilder.group(
  adminApi,
  "queue",
  Effect.fnUntraced(function* (handlers) {
    const queue = yield* QueuePause
    const moderation = yield* Moderation
    const changes = yield* AdminChanges

    const state = Effect.gen(function* () {
      const { pending, running, runs } = yield* moderation.underWay(MOST)
      const body: QueueState = { paused: yield* queue.look, pending, running, runs: runs.map(shownRun) }
      return body
    })

    const change = (action: string, effect: Effect.Effect<void, StoreUnavailable>) =>
      changes.make(
        Effect.gen(function* () {
          const before = yield* queue.look
          yield* effect
          return {
            value: yield* state,
            action,
            subject: "queue",
            before: pauseInBrief(before),
            after: pauseInBrief(yield* queue.look)
          }
        })
      )

    return handlers.handleAll({
      readQueue: () => orUnavailable(state),
      pauseQueue: () => orUnavailable(Operator.use(({ name }) => change("queue.pause", queue.pause(name)))),
      resumeQueue: () => orUnavailable(change("queue.resume", queue.resume))
    })
  })
)
