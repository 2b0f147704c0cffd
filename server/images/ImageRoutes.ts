import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { scoreWords } from "../../engine/plugin/Wording.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { isRunId, type Run } from "../../engine/store/runs/Run.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { reportView } from "../../engine/report/ReportView.ts"
import { escapeMarkup } from "../../engine/text/MarkupText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type BadRequest, NO_RUN_ID, type NotFound, type Unavailable } from "../api/Errors.ts"
import { FinishedRuns } from "../audits/FinishedRuns.ts"
import { RunReading } from "../audits/RunReading.ts"
import { Targets } from "../audits/Targets.ts"
import { orUnavailable } from "../http/errors/Refusals.ts"
import { rateLimited } from "../http/RateLimitMiddleware.ts"
import { Clients } from "../http/request/Clients.ts"
import { JSON_TYPE } from "../response/CommonHeaders.ts"
import { CachedResponse, ResponseCache } from "../response/ResponseCache.ts"
import { NO_LEVEL, scoreColour } from "../../engine/report/html/LevelColour.ts"
import type { CardState, FinishedState } from "./CardWorker.ts"
import { type NoImage, ShareImages } from "./ShareImages.ts"

type Request = HttpServerRequest

/** The card of a finished run. */
const finishedState = (report: AuditReport): FinishedState => ({
  _tag: "Done",
  score: report.total_score,
  max: report.max_score,
  reliable: report.reliability.reliable,
  level: report.verdict,
  date: report.audit_date,
  categories: reportView(report).categories.map(({ applies, max, score, title }) => ({ title, score, max, applies }))
})

/** The card of a run without a report. */
const unfinishedState = ({ status }: Run): CardState => ({ _tag: status === "error" ? "Failed" : "UnderWay" })

/** The text and colour of a badge's right half; the left half is the name of the service. */
interface Badge {
  readonly message: string
  /** `#rrggbb`. */
  readonly colour: string
}

/** For a finished run: `82/100 AI-ready`; without a level and a colour if it is not reliable: `at least 43, not reliable`. */
export const scoreBadge = ({ level, max, reliable, score }: FinishedState): Badge =>
  reliable
    ? { message: `${score}/${max} ${level}`.trim(), colour: scoreColour(score, max) }
    : { message: `${scoreWords(score, false)}, not reliable`, colour: NO_LEVEL.colour }

/** For anything without a score. */
export const plainBadge = (message: "not audited" | "audit running" | "audit failed"): Badge => ({
  message,
  colour: NO_LEVEL.colour
})

const LABEL = "docgauge"
const LABEL_COLOUR = "#555"
const HEIGHT = 20
const SIZE = 11
/** Space before and after each text. */
const PADDING = 6
const LONGEST = 40

/** A text with its shadow, centred in a half and stretched to the given width, whatever font is available. */
const half = (text: string, left: number, width: number): string => {
  const place = `x="${left + width / 2}" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs"`
  return `<text ${place} y="15" fill="#010101" fill-opacity=".3" aria-hidden="true">${text}</text><text ${place} y="14">${text}</text>`
}

const widthOf = (text: string): number => Math.ceil(textWidth(text, SIZE)) + 2 * PADDING

/**
 * The badge as SVG in the flat style of shields.io, 20 pixels high, without anything that a strict content security policy
 * blocks.
 */
export const badgeSvg = ({ colour, message }: Badge): string => {
  const text = plainText(message, LONGEST)
  const [left, right] = [widthOf(LABEL), widthOf(text)]
  const width = left + right
  const told = escapeMarkup(`${LABEL}: ${text}`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${told}"><title>${told}</title>` +
    `<linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>` +
    `<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3" fill="#fff"/></clipPath>` +
    `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_COLOUR}"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}"/>` +
    `<rect width="${width}" height="${HEIGHT}" fill="url(#s)"/></g>` +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="${SIZE}">${half(LABEL, 0, left)}${half(escapeMarkup(text), left, right)}</g></svg>\n`
  )
}

/** A badge for shields.io, which draws it in any of its styles: https://shields.io/badges/endpoint-badge. */
const shieldsJson = ({ colour, message }: Badge): string =>
  `${JSON.stringify({ schemaVersion: 1, label: LABEL, message: plainText(message, LONGEST), color: colour, cacheSeconds: 300 })}\n`

/** Advance widths of DejaVu Sans, which are those of Verdana, in thousandths of the font size: U+0020 to U+007E. */
const WIDTHS: ReadonlyArray<number> = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
  748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838
]

/** For letters of other alphabets. */
const OTHER = 640

/** For ideographs, kana, Hangul and emoji. */
const FULL = 1_000
const FIRST_FULL = 0x2e80

/** The width of a text in Verdana, in the unit of the font size. */
export const textWidth = (text: string, size: number): number =>
  (Array.from(text).reduce((sum, character) => sum + widthOfCode(character.codePointAt(0) ?? 0), 0) * size) / 1_000

const widthOfCode = (code: number): number => WIDTHS[code - 0x20] ?? (code < FIRST_FULL ? OTHER : FULL)

/**
 * GET /r/{id}/og.png, /r/{id}/badge.svg, /badge.svg?base_url=… and /badge.json?base_url=…: images of a run for pages of other sites,
 * and what shields.io draws one from. Errors are JSON.
 */
export const imageRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const finishedRuns = yield* FinishedRuns
    const images = yield* ShareImages
    const responses = yield* ResponseCache
    const reading = yield* RunReading
    const history = yield* RunHistory
    const targets = yield* Targets
    const [clients, limits] = [yield* Clients, yield* Limits]
    const poll = rateLimited(clients, limits.poll)
    const browse = rateLimited(clients, limits.browse)

    const stateOf = Effect.fnUntraced(function* (run: Run) {
      const finished = run.status === "done" ? yield* finishedRuns.get(run.id) : null
      return finished === null ? unfinishedState(run) : finishedState(yield* finishedRuns.read(finished))
    })

    /** Images of finished runs are cached by run; those of running ones differ only by site. */
    const drawn = Effect.fnUntraced(function* (id: string) {
      const run = yield* reading.find(id)
      const state = yield* stateOf(run)
      const key = state._tag === "UnderWay" ? `image:under-way:${run.site}` : imageKey(id)
      const make = Effect.map(
        images.draw(key, { site: run.site, state }),
        (png) => new CachedResponse(png, { type: "image/png", headers: headersOf(state) })
      )
      return yield* responses.get(key, CachedResponse, make)
    })

    const image = (request: Request, id: string) =>
      poll(
        request,
        Effect.suspend(() => {
          const image = Effect.flatMap(responses.peek(imageKey(id), CachedResponse), (cached) =>
            cached === null ? orUnavailable(drawn(id)) : Effect.succeed(cached)
          )
          return toldAsJson(Effect.flatMap(image, (content) => content.to(request)))
        })
      )

    const badge = (request: Request, id: string) =>
      poll(
        request,
        toldAsJson(
          orUnavailable(
            Effect.gen(function* () {
              const state = yield* stateOf(yield* reading.find(id))
              return yield* badgeContent(badgeOf(state), headersOf(state)).to(request)
            })
          )
        )
      )

    /** For the newest finished run of a site. */
    const siteBadge = Effect.fnUntraced(function* (request: Request, content: typeof badgeContent) {
      const {
        run: { site }
      } = yield* targets.read(siteAskedFor(request.url))
      const run = yield* orUnavailable(history.newest(site))
      const shown = run === null ? plainBadge("not audited") : badgeOf(yield* orUnavailable(stateOf(run)))
      return yield* content(shown, { ...EMBEDDED, "cache-control": "public, max-age=300" }).to(request)
    })

    const ofRun = <E, R>(
      answer: (request: Request, id: string) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) =>
      Effect.gen(function* () {
        const { id = "" } = yield* HttpRouter.params
        return isRunId(id) ? yield* answer(yield* HttpServerRequest, id.toLowerCase()) : refusal(400, NO_RUN_ID)
      })

    yield* router.add("GET", "/r/:id/og.png", ofRun(image))
    yield* router.add("GET", "/r/:id/badge.svg", ofRun(badge))
    for (const [path, content] of [
      ["/badge.svg", badgeContent],
      ["/badge.json", shieldsContent]
    ] as const)
      yield* router.add(
        "GET",
        path,
        Effect.flatMap(HttpServerRequest, (request) => browse(request, toldAsJson(siteBadge(request, content))))
      )
  })
).pipe(Layer.provide(ShareImages.layer))

/** The cache key of the image of a finished run. */
const imageKey = (id: string): string => `image:${id}`

/** `base_url`, with or without a scheme; `undefined` unless it is given exactly once. */
const siteAskedFor = (url: string): string | undefined => {
  const [site, ...others] = new URL(url, "http://localhost").searchParams.getAll("base_url")
  if (site === undefined || others.length > 0) return undefined
  return site === "" || /^[a-z][a-z\d+.-]*:\/\//i.test(site) ? site : `https://${site}`
}

/** Pages of other origins may show images. */
const EMBEDDED = { "cross-origin-resource-policy": "cross-origin" }

/** A finished run never changes, but it may be deleted: cached for a day, not a year. */
const headersOf = ({ _tag }: CardState): Readonly<Record<string, string>> => ({
  ...EMBEDDED,
  "cache-control": _tag === "UnderWay" ? "no-cache" : "public, max-age=86400"
})

const badgeOf = (state: CardState): Badge => {
  if (state._tag === "Done") return scoreBadge(state)
  return plainBadge(state._tag === "Failed" ? "audit failed" : "audit running")
}

const badgeContent = (badge: Badge, headers: Readonly<Record<string, string>>): CachedResponse =>
  new CachedResponse(badgeSvg(badge), { type: "image/svg+xml; charset=utf-8", headers })

const shieldsContent = (badge: Badge, headers: Readonly<Record<string, string>>): CachedResponse =>
  new CachedResponse(shieldsJson(badge), {
    type: JSON_TYPE,
    headers
  })

const refusal = (status: number, error: string, code?: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify({ error, code }), {
    status,
    contentType: JSON_TYPE,
    headers: { "cache-control": "no-store", ...headers }
  })

/** The renderer is busy for at most a second. */
const SOON = { "retry-after": "1" }

const noImage = ({ reason }: NoImage) =>
  reason === "not_installed"
    ? refusal(503, "Share images are not available: the package @resvg/resvg-js is not installed.")
    : refusal(503, "The image renderer is busy. Try again soon.", undefined, SOON)

const toldAsJson = <R>(
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, BadRequest | NotFound | NoImage | Unavailable, R>
) =>
  Effect.catchTags(answer, {
    BadRequest: ({ code, error }) => Effect.succeed(refusal(400, error, code)),
    NotFound: ({ code, error }) => Effect.succeed(refusal(404, error, code)),
    NoImage: (failure) => Effect.succeed(noImage(failure)),
    Unavailable: ({ error }) => Effect.succeed(refusal(503, error, undefined, { "retry-after": "5" }))
  })
