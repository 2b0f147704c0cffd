import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { planMarkdown } from "../../../engine/fix/plan/PlanMarkdown.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isRunId, type Run } from "../../../engine/store/runs/Run.ts"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import { inlineCode } from "../../../engine/text/MarkdownText.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { addresses } from "../../config/Settings.ts"
import {
  BUSY_SECONDS,
  fixCommand,
  type FixesError,
  type KeptFixes,
  type NoFixes,
  RunFixes
} from "../../fixes/RunFixes.ts"
import { Clients } from "../../http/request/Clients.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { errorPage } from "../kit/NoticePage.ts"
import { finishedPage, pageAnswer } from "../kit/PageAnswer.ts"
import { rateLimitedAnswer, rateLimitedPage } from "../kit/RateLimitedPage.ts"
import { notDone, noUuid, refusedAsTold } from "../kit/RunNotices.ts"
import { fixPage, makingPage } from "./FixPage.ts"
import { type PlanView, promptOf } from "./PlanSection.ts"

type Request = HttpServerRequest
type Form = (run: Run, kept: KeptFixes) => CachedResponse
type Answer = Effect.Effect<HttpServerResponse, NotFound | Unprocessable | FixesError>

/** How long the page waits before it says that the plan is being made. */
const PAGE_PATIENCE = "2 seconds"

/** How long the other forms wait. */
const PATIENCE = "60 seconds"

/** GET /r/{id}/fix, the plan to raise the score of a site; as /r/{id}/fix.md and /r/{id}/fix.json; its prompt and its files. */
export const fixRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const fixes = yield* RunFixes
    const reading = yield* RunReading
    const responses = yield* ResponseCache
    const clients = yield* Clients
    const { base } = yield* addresses
    const limited = rateLimitedPage(clients, (yield* Limits).poll)

    const viewOf = (run: Run, { plan, zipBytes }: KeptFixes): PlanView => ({ plan, run, zipBytes, base })

    /** The forms that are cached with the plan. */
    const kept: Readonly<Record<string, Form>> = {
      "fix.json": (_, { json }) => json,
      "fixes.zip": (_, { zip }) => zip
    }

    /** The forms that are written from the plan, and cached apart. */
    const written: Readonly<Record<string, Form>> = {
      fix: (run, kept) => finishedPage(fixPage(viewOf(run, kept))),
      "fix.md": (run, { plan }) =>
        new CachedResponse(planMarkdown(plan, { notes: [filesNote(run)] }), { type: MARKDOWN_TYPE }),
      "prompt.txt": (run, kept) =>
        new CachedResponse(promptOf(viewOf(run, kept)), { type: "text/plain; charset=utf-8" })
    }

    const filesNote = ({ id, url }: Run): string =>
      `The files: ${base}/r/${id}/fixes.zip. From the site as it is now: ${inlineCode(fixCommand(url))}.`

    const form = (name: string, make: Form, isWritten: boolean) =>
      Effect.fnUntraced(function* (
        request: Request,
        id: string
      ): Effect.fn.Return<HttpServerResponse, NotFound | Unprocessable | FixesError> {
        const run = yield* reading.find(id)
        if (run.status !== "done") return notDone(request)
        const key = `${name}:${id}`
        const cached = yield* responses.peek(key, CachedResponse)
        if (cached !== null) return yield* cached.to(request)
        const made = yield* Effect.timeoutOption(
          fixes.get(run, [clients.of(request)]),
          name === "fix" ? PAGE_PATIENCE : PATIENCE
        )
        if (Option.isNone(made))
          return yield* name === "fix"
            ? pageAnswer(request, makingPage(run), { status: 202, cacheControl: "no-store" })
            : Effect.succeed(stillMaking(request))
        const response = Effect.sync(() => make(run, made.value))
        return yield* (yield* isWritten ? responses.get(key, CachedResponse, response) : response).to(request)
      })

    const toldErrors = (request: Request, answer: Answer): Effect.Effect<HttpServerResponse, StoreUnavailable> =>
      refusedAsTold(
        request,
        Effect.catchTags(answer, {
          NoFixes: (reason) => Effect.succeed(noFixes(request, reason)),
          FixesLimited: ({ refusal }) => Effect.succeed(rateLimitedAnswer(request, refusal))
        })
      )

    const forms = [
      ...Object.entries(kept).map(([name, make]) => ({ name, answer: form(name, make, false) })),
      ...Object.entries(written).map(([name, make]) => ({ name, answer: form(name, make, true) }))
    ]

    for (const { answer, name } of forms) {
      yield* router.add(
        "GET",
        `/r/:id/${name}`,
        Effect.gen(function* () {
          const request = yield* HttpServerRequest
          const { id = "" } = yield* HttpRouter.params
          return isRunId(id)
            ? yield* limited(request, toldErrors(request, answer(request, id.toLowerCase())))
            : noUuid(request)
        })
      )
    }
  })
)

const STATUS: Readonly<Record<NoFixes["reason"], number>> = {
  no_archive: 404,
  unusable: 422,
  internal: 500,
  busy: 503,
  deleted: 404
}

const TITLE: Readonly<Record<NoFixes["reason"], string>> = {
  no_archive: "The archive is no longer kept",
  unusable: "No files could be made",
  internal: "Something went wrong",
  busy: "Others are waiting",
  deleted: "Report not found"
}

const CODE: Readonly<Record<NoFixes["reason"], string | null>> = {
  no_archive: "not_found",
  unusable: null,
  internal: "internal",
  busy: null,
  deleted: "not_found"
}

const noFixes = (request: Request, { advice, message, reason }: NoFixes): HttpServerResponse =>
  errorPage(request, {
    status: STATUS[reason],
    page: { title: TITLE[reason], text: `${message} ${advice}` },
    json: { error: `${message} ${advice}`, ...(CODE[reason] === null ? {} : { code: CODE[reason] }) },
    headers: { "cache-control": "no-store", ...(reason === "busy" ? { "retry-after": String(BUSY_SECONDS) } : {}) }
  })

const stillMaking = (request: Request): HttpServerResponse =>
  errorPage(request, {
    status: 503,
    page: { title: "Not ready yet", text: `The files are still being made. Try again in ${BUSY_SECONDS} seconds.` },
    json: { error: `The files are still being made. Try again in ${BUSY_SECONDS} seconds.` },
    headers: { "cache-control": "no-store", "retry-after": String(BUSY_SECONDS) }
  })
