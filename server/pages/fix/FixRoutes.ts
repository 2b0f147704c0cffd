import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { planMarkdown } from "../../../engine/fix/plan/PlanMarkdown.ts"
import { scoreChange } from "../../../engine/fix/plan/PlanWords.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isRunId, type Run } from "../../../engine/store/runs/Run.ts"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import { inlineCode } from "../../../engine/text/MarkupText.ts"
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
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout } from "../kit/Layout.ts"
import { errorPage, notDone, noUuid, rateLimitedAnswer, rateLimitedPage, refusedAsTold } from "../kit/NoticePage.ts"
import { finishedPage, pageAnswer } from "../kit/PageAnswer.ts"
import { siteHeading, siteName } from "../../../engine/report/html/Parts.ts"
import { planSection, type PlanView, promptOf } from "./PlanSection.ts"

type Request = HttpServerRequest
type Form = (run: Run, kept: KeptFixes) => CachedResponse
type Answer = Effect.Effect<HttpServerResponse, NotFound | Unprocessable | FixesError>

/** How long the page waits before it says that the plan is being made. */
const PAGE_PATIENCE = "2 seconds"

/** How long the other forms wait. */
const PATIENCE = "60 seconds"

const fixPage = (view: PlanView): VNode => {
  const {
    plan,
    run: { id, url }
  } = view
  return layout({
    title: `Fix ${siteName(url)}: ${scoreChange(plan)} of 100`,
    path: `/r/${id}/fix`,
    robots: "noindex",
    styles: ["report.css"],
    scripts: ["copy.js"],
    head: html`
      <link rel="alternate" type="application/json" href=${`/r/${id}/fix.json`} title="The plan as JSON"/>
      <link rel="alternate" type="text/markdown" href=${`/r/${id}/fix.md`} title="The plan as Markdown"/>`,
    content: html`
      <article class="report">
        <p class="eyebrow">How to raise the score of</p>
        <h1>${siteHeading(url)}</h1>
        <p><a href=${`/r/${id}`}>Back to the report</a></p>
        ${planSection(view)}
      </article>`
  })
}

/** How often the page below reloads itself, in seconds. */
const REFRESH = 3

/** The page while the plan is being made. It turns into the plan, with or without a script. */
const makingPage = ({ id, url }: Run): VNode =>
  layout({
    title: `Making the plan for ${siteName(url)}`,
    path: `/r/${id}/fix`,
    robots: "noindex",
    styles: ["report.css"],
    head: html`<meta http-equiv="refresh" content=${REFRESH}/>`,
    content: html`
      <div class="under-way">
        <p class="eyebrow">Making the plan for</p>
        <h1>${siteHeading(url)}</h1>
        <p class="lead" role="status">Writing the files, and auditing the site again with them in place.</p>
        <p class="soft">Usually under 10 seconds. This page reloads every ${REFRESH} seconds.</p>
        <p><a href=${`/r/${id}`}>Back to the report</a></p>
      </div>`
  })

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
