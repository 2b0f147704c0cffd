import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AdminLog } from "../../engine/store/operators/AdminLog.ts"
import { orUnavailable } from "../http/errors/Unavailability.ts"
import { adminApi } from "./api/AdminApi.ts"
import { Malformed } from "./api/AdminErrors.ts"
import { cursorNumber } from "./api/Described.ts"
import type { LogPage } from "./api/LogGroup.ts"

/** Default number of entries per page. */
const PAGE = 50

/** GET /api/admin/log. */
export const logHandlers = HttpApiBuilder.group(
  adminApi,
  "log",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* AdminLog
    return handlers.handle(
      "readLog",
      Effect.fnUntraced(function* ({ query: { cursor, limit = PAGE } }) {
        const before = cursor === undefined ? null : cursorNumber(cursor)
        if (before === null && cursor !== undefined)
          return yield* new Malformed({ error: "query.cursor: use the next_cursor of a page" })
        const entries = yield* orUnavailable(log.page(before, limit + 1))
        const page = entries.slice(0, limit)
        const body: LogPage = {
          entries: page,
          next_cursor: entries.length > limit ? String(page.at(-1)?.serial ?? "") : ""
        }
        return body
      })
    )
  })
)
