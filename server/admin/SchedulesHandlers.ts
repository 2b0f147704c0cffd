import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type AuditSchedule, ScheduleStore } from "../../engine/store/operators/ScheduleStore.ts"
import { Submissions } from "../audits/Submissions.ts"
import { orUnavailable } from "../http/errors/Refusals.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { adminApi } from "./api/AdminApi.ts"
import { Conflict, Missing } from "./api/AdminErrors.ts"
import type { Schedule } from "./api/SchedulesGroup.ts"

/** Default number of schedules per page. */
const PAGE = 50

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Parses `24h` or `7d`; the schema has validated it. */
const everyMsOf = (text: string): number => Number(text.slice(0, -1)) * (text.endsWith("d") ? DAY_MS : HOUR_MS)

const everyOf = (ms: number): string => (ms % DAY_MS === 0 ? `${ms / DAY_MS}d` : `${ms / HOUR_MS}h`)

const shown = ({ everyMs, id, lastAt, lastProblem, lastRun, nextAt, url }: AuditSchedule): Schedule => ({
  id,
  base_url: url,
  every: everyOf(everyMs),
  next_at: nextAt,
  last_at: lastAt,
  last_run_id: lastRun,
  last_problem: lastProblem
})

const inBrief = ({ everyMs, url }: AuditSchedule): string => `${url} every ${everyOf(everyMs)}`

/** /api/admin/schedules. */
export const schedulesHandlers = HttpApiBuilder.group(
  adminApi,
  "schedules",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* ScheduleStore
    const submissions = yield* Submissions
    const changes = yield* AdminChanges

    const existing = Effect.fnUntraced(function* (id: string) {
      const found = yield* store.find(id)
      return found ?? (yield* new Missing({ error: "There is no such schedule.", code: "not_found" }))
    })

    const create = Effect.fnUntraced(function* (baseUrl: string, everyMs: number) {
      const { url } = yield* submissions.wanted(baseUrl)
      return yield* changes.make(
        Effect.gen(function* () {
          if ((yield* store.findUrl(url)) !== null)
            return yield* new Conflict({ error: "A schedule for this URL already exists.", code: "exists" })
          const created = yield* store.create(url, everyMs)
          return {
            value: shown(created),
            action: "schedule.create",
            subject: created.id,
            before: null,
            after: inBrief(created)
          }
        })
      )
    })

    const change = (id: string, everyMs: number) =>
      changes.make(
        Effect.gen(function* () {
          const before = yield* existing(id)
          yield* store.change(id, everyMs)
          const after = yield* existing(id)
          return {
            value: shown(after),
            action: "schedule.change",
            subject: id,
            before: inBrief(before),
            after: inBrief(after)
          }
        })
      )

    const remove = (id: string) =>
      changes.make(
        Effect.gen(function* () {
          const before = yield* existing(id)
          yield* store.remove(id)
          return { value: undefined, action: "schedule.delete", subject: id, before: inBrief(before), after: null }
        })
      )

    const list = Effect.fnUntraced(function* (after: string, limit: number) {
      const found = yield* store.list(after, limit + 1)
      const page = found.slice(0, limit)
      return { schedules: page.map(shown), next_cursor: found.length > limit ? (page.at(-1)?.url ?? "") : "" }
    })

    return handlers.handleAll({
      listSchedules: ({ query: { cursor = "", limit = PAGE } }) => orUnavailable(list(cursor, limit)),
      createSchedule: ({ payload: { base_url, every } }) => orUnavailable(create(base_url, everyMsOf(every))),
      readSchedule: ({ params: { id } }) => orUnavailable(Effect.map(existing(id), shown)),
      changeSchedule: ({ params: { id }, payload: { every } }) => orUnavailable(change(id, everyMsOf(every))),
      deleteSchedule: ({ params: { id } }) => orUnavailable(remove(id))
    })
  })
)
