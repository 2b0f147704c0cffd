import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Limits } from "../../engine/limit/Limits.ts"
import { type Badge, badgeSvg, plainBadge, scoreBadge } from "../images/Badge.ts"
import { finishedState, unfinishedState } from "../images/RunCards.ts"
import { type NoImage, ShareImages } from "../images/ShareImages.ts"
import type { CardState } from "../images/ShareCard.ts"
import type { Run } from "../../engine/store/Run.ts"
import { RunStore } from "../../engine/store/RunStore.ts"
import type { BadRequest, NotFound, Unavailable } from "../api/Errors.ts"
import { JSON_TYPE } from "../http/Answers.ts"
import { Clients } from "../http/Clients.ts"
import { FinishedRuns } from "../http/FinishedRuns.ts"
import { makeRation } from "../http/Rationed.ts"
import { RunReading } from "../http/RunReading.ts"
import { Targets } from "../http/Targets.ts"
import { orUnavailable } from "../http/Unavailability.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import { LastingContent } from "./kit/LastingContent.ts"

type Request = HttpServerRequest

/**
 * GET /r/{id}/og.png, /r/{id}/badge.svg and /badge.svg?base_url=…: what others show of a run, in their own pages. All
 * that goes wrong is told as JSON, for whoever looks there; who shows an image shows none then.
 */
export const imageRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const finishedRuns = yield* FinishedRuns
    const images = yield* ShareImages
    const kept = yield* KeptPages
    const reading = yield* RunReading
    const store = yield* RunStore
    const targets = yield* Targets
    const [clients, limits] = [yield* Clients, yield* Limits]
    const poll = makeRation(clients, limits.poll)
    const browse = makeRation(clients, limits.browse)

    const stateOf = Effect.fnUntraced(function*(run: Run) {
      const finished = run.status === "done" ? yield* finishedRuns.get(run.id) : null
      return finished === null ? unfinishedState(run) : finishedState(finished)
    })

    /** Kept under a key of the run once that is over; as long as it is not, its images differ by site alone. */
    const drawn = Effect.fnUntraced(function*(id: string) {
      const run = yield* reading.find(id)
      const state = yield* stateOf(run)
      const key = state._tag === "UnderWay" ? `image:under-way:${run.site}` : imageKey(id)
      const make = Effect.map(images.draw(key, { site: run.site, state }), (png) => new LastingContent(png, { type: "image/png", headers: headersOf(state) }))
      return yield* kept.through(key, make)
    })

    const image = (request: Request, id: string) =>
      poll(request, Effect.suspend(() => {
        const hot = kept.peek(imageKey(id))
        return toldAsJson(Effect.flatMap(hot === undefined ? orUnavailable(drawn(id)) : Effect.succeed(hot), (content) => content.to(request)))
      }))

    const badge = (request: Request, id: string) =>
      poll(request, toldAsJson(orUnavailable(Effect.gen(function*() {
        const state = yield* stateOf(yield* reading.find(id))
        return yield* badgeContent(badgeOf(state), headersOf(state)).to(request)
      }))))

    /** Of the newest finished run of a site. */
    const siteBadge = Effect.fnUntraced(function*(request: Request) {
      const { run: { site } } = yield* targets.read(siteAskedFor(request.url))
      const run = yield* orUnavailable(store.previousDone(site, END_OF_TIME))
      const shown = run === null ? plainBadge("not audited") : badgeOf(yield* orUnavailable(stateOf(run)))
      return yield* badgeContent(shown, { ...EMBEDDED, "cache-control": "public, max-age=300" }).to(request)
    })

    const ofRun = <E, R>(answer: (request: Request, id: string) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.gen(function*() {
        const { id = "" } = yield* HttpRouter.params
        return UUID.test(id) ? yield* answer(yield* HttpServerRequest, id.toLowerCase()) : refusal(400, "The path parameter id has to be a UUID.")
      })

    yield* router.add("GET", "/r/:id/og.png", ofRun(image))
    yield* router.add("GET", "/r/:id/badge.svg", ofRun(badge))
    yield* router.add("GET", "/badge.svg", Effect.flatMap(HttpServerRequest, (request) => browse(request, toldAsJson(siteBadge(request)))))
  })).pipe(Layer.provide(ShareImages.layer))

/** The key under which the image of a run that is over is kept. */
const imageKey = (id: string): string => `image:${id}`

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** `base_url`, which may lack its scheme as in the lists of sites; `undefined` unless it is there once. */
const siteAskedFor = (url: string): string | undefined => {
  const [site, ...others] = new URL(url, "http://localhost").searchParams.getAll("base_url")
  if (site === undefined || others.length > 0) return undefined
  return site === "" || /^[a-z][a-z\d+.-]*:\/\//i.test(site) ? site : `https://${site}`
}

/** Later than any run. */
const END_OF_TIME = "9999-12-31T23:59:59.999999Z"

/** Images are there to be shown by pages of other origins. */
const EMBEDDED = { "cross-origin-resource-policy": "cross-origin" }

/** A run that is over never changes. A day and not a year all the same, for it may be taken down. */
const headersOf = ({ _tag }: CardState): Readonly<Record<string, string>> =>
  ({ ...EMBEDDED, "cache-control": _tag === "UnderWay" ? "no-cache" : "public, max-age=86400" })

const badgeOf = (state: CardState): Badge => {
  if (state._tag === "Done") return scoreBadge(state.score, state.max, state.level)
  return plainBadge(state._tag === "Failed" ? "audit failed" : "audit under way")
}

const badgeContent = (badge: Badge, headers: Readonly<Record<string, string>>): LastingContent =>
  new LastingContent(badgeSvg(badge), { type: "image/svg+xml; charset=utf-8", headers })

const refusal = (status: number, error: string, code?: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify({ error, code }), { status, contentType: JSON_TYPE, headers: { "cache-control": "no-store", ...headers } })

/** What draws is busy for a second at most. */
const SOON = { "retry-after": "1" }

const noImage = ({ reason }: NoImage) =>
  reason === "not_installed"
    ? refusal(503, "This service has no share images: the package @resvg/resvg-js is not installed.")
    : refusal(503, "The image cannot be drawn at the moment. Try again soon.", undefined, SOON)

const toldAsJson = <R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, BadRequest | NotFound | NoImage | Unavailable, R>) =>
  Effect.catchTags(answer, {
    BadRequest: ({ code, error }) => Effect.succeed(refusal(400, error, code)),
    NotFound: ({ code, error }) => Effect.succeed(refusal(404, error, code)),
    NoImage: (failure) => Effect.succeed(noImage(failure)),
    Unavailable: ({ error }) => Effect.succeed(refusal(503, error, undefined, { "retry-after": "5" }))
  })
