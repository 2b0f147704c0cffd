import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Limits } from "../../engine/limit/Limits.ts"
import { type Badge, badgeSvg, plainBadge, scoreBadge } from "./Badge.ts"
import { finishedState, unfinishedState } from "./RunCards.ts"
import { type NoImage, ShareImages } from "./ShareImages.ts"
import type { CardState } from "./ShareCard.ts"
import { isRunId, type Run } from "../../engine/store/runs/Run.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { type BadRequest, NO_RUN_ID, type NotFound, type Unavailable } from "../api/Errors.ts"
import { JSON_TYPE } from "../response/CommonHeaders.ts"
import { Clients } from "../http/request/Clients.ts"
import { FinishedRuns } from "../audits/FinishedRuns.ts"
import { rateLimited } from "../http/limits/RateLimited.ts"
import { RunReading } from "../audits/RunReading.ts"
import { Targets } from "../audits/Targets.ts"
import { orUnavailable } from "../http/errors/Unavailability.ts"
import { ResponseCache } from "../response/ResponseCache.ts"
import { CachedResponse } from "../response/CachedResponse.ts"

type Request = HttpServerRequest

/**
 * GET /r/{id}/og.png, /r/{id}/badge.svg and /badge.svg?base_url=…: images of a run for pages of other sites. Errors are
 * JSON.
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
      return finished === null ? unfinishedState(run) : finishedState(finished)
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
    const siteBadge = Effect.fnUntraced(function* (request: Request) {
      const {
        run: { site }
      } = yield* targets.read(siteAskedFor(request.url))
      const run = yield* orUnavailable(history.newest(site))
      const shown = run === null ? plainBadge("not audited") : badgeOf(yield* orUnavailable(stateOf(run)))
      return yield* badgeContent(shown, { ...EMBEDDED, "cache-control": "public, max-age=300" }).to(request)
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
    yield* router.add(
      "GET",
      "/badge.svg",
      Effect.flatMap(HttpServerRequest, (request) => browse(request, toldAsJson(siteBadge(request))))
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
