import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import { Moderation, type RunFilter } from "../../engine/store/operators/Moderation.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { Submissions } from "../audits/Submissions.ts"
import { orUnavailable } from "../http/errors/Unavailability.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { adminApi } from "./api/AdminApi.ts"
import { Conflict, Malformed, Missing } from "./api/AdminErrors.ts"
import { cursorNumber } from "./api/Described.ts"
import { RunDeletion } from "./RunDeletion.ts"
import { shownRun } from "./ShownRun.ts"
import { siteOfText } from "./SiteInput.ts"

/** Default number of runs per page. */
const PAGE = 50

const inBrief = ({ reliable, startedAt, status, totalScore, url }: Run): string =>
  `${url}, ${status}${totalScore === null ? "" : ` with ${reliable === true ? "" : "at least "}${totalScore} points`}, accepted ${startedAt}`

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
          yield* deletion.giveBack([run])
          yield* deletion.drop([run])
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
