import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { timingSafeEqual } from "node:crypto"
import { parseTarget } from "../../engine/audit/Target.ts"
import { normalise } from "../../engine/evidence/Address.ts"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import type { LimitRefusal } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { BLOCKED } from "../../engine/schedule/Auditor.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import { type Delivery, DeliveryStore, TEST_EVENT } from "../../engine/store/webhooks/DeliveryStore.ts"
import {
  MOST_WEBHOOKS,
  type Webhook,
  type WebhookEvent,
  WebhookStore
} from "../../engine/store/webhooks/WebhookStore.ts"
import { BadRequest, ForeignPage, NotFound, Unprocessable } from "../api/Errors.ts"
import { type LookupsBusy, tooManyLookups } from "../audits/LookupTurns.ts"
import { notReceiversOwnerMessage } from "../audits/RefusalMessages.ts"
import { SiteOwners } from "../audits/SiteOwners.ts"
import { Targets } from "../audits/Targets.ts"
import { reach, webhooksOn } from "../config/Settings.ts"
import { countRefusal } from "../observe/Metered.ts"
import { testMessage } from "./WebhookEvents.ts"

/** Deliveries that a webhook is shown with. */
const SHOWN_DELIVERIES = 20

/** What a client asks for; the shape was checked. */
interface AskedWebhook {
  readonly baseUrl: string
  readonly url: string
  readonly ownerKey: string | null
  readonly events: ReadonlyArray<WebhookEvent>
}

/** A webhook with its newest deliveries, newest first. */
export interface WatchedWebhook {
  readonly webhook: Webhook
  readonly deliveries: ReadonlyArray<Delivery>
}

/** Webhooks as the owners of sites create and look after them. Who has a webhook's secret may read, try and delete it. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * For the owner of the site at `baseUrl` and of the receiver at `url`: both have to publish the token of the owner key, so that
     * this service posts to its users' own servers only.
     */
    readonly create: (
      asked: AskedWebhook,
      client: Client
    ) => Effect.Effect<Webhook | LimitRefusal, BadRequest | ForeignPage | NotFound | Unprocessable | StoreUnavailable>
    /** `secret`: what the client sent; `null` if nothing. */
    readonly read: (id: string, secret: string | null) => Effect.Effect<WatchedWebhook, NotFound | StoreUnavailable>
    /** With its deliveries. */
    readonly remove: (id: string, secret: string | null) => Effect.Effect<void, NotFound | StoreUnavailable>
    /** Adds a delivery of a test event; returns its id. */
    readonly test: (
      id: string,
      secret: string | null,
      client: Client
    ) => Effect.Effect<string | LimitRefusal, NotFound | Unprocessable | StoreUnavailable>
  }
>()("docgauge/server/Webhooks") {
  static readonly layer: Layer.Layer<
    Webhooks,
    Config.ConfigError,
    DeliveryStore | Limits | SiteBlocks | SiteOwners | Targets | WebhookStore
  > = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const [isOn, rules] = [yield* webhooksOn, yield* reach]
      const limits = yield* Limits
      const targets = yield* Targets
      const owners = yield* SiteOwners
      const blocks = yield* SiteBlocks
      const webhooks = yield* WebhookStore
      const deliveries = yield* DeliveryStore

      const available = Effect.suspend(() => {
        if (!webhooks.isKept) return Effect.fail(NO_DATABASE)
        return isOn ? Effect.void : Effect.fail(TURNED_OFF)
      })

      const receiverOf = (url: string): Effect.Effect<string, BadRequest> =>
        Result.match(parseTarget(url, { ...rules, allowPorts: rules.allowPrivate }), {
          // Unlike a site's, its query and its trailing slash matter.
          onSuccess: (plain) => Effect.succeed(normalise(url) ?? plain),
          onFailure: ({ message }) => Effect.fail(new BadRequest({ error: `url cannot be used: ${message}.` }))
        })

      const prove = Effect.fnUntraced(function* (
        baseUrl: string,
        receiver: string,
        ownerKey: string | null,
        network: string
      ) {
        // A page counts for itself whatever its query, so it has to have the token without one.
        const page = new URL(receiver)
        page.search = ""
        const owned =
          ownerKey === null
            ? []
            : yield* Effect.forEach([baseUrl, page.href], (url) => owners.isOwner(url, ownerKey, network))
        if (owned.length > 0 && owned.every((isOwner) => isOwner)) return
        const ownership = yield* owners.proof(baseUrl, ownerKey)
        const proofs = { ownership, receiver: yield* owners.proof(page.href, ownership.owner_key) }
        return yield* new ForeignPage({
          error: notReceiversOwnerMessage(proofs, ownerKey === null ? null : { site: owned[0] === true }),
          code: "not_owner",
          ...proofs
        })
      })

      const create = Effect.fnUntraced(function* (
        { baseUrl, events, ownerKey, url }: AskedWebhook,
        client: Client
      ): Effect.fn.Return<
        Webhook | LimitRefusal,
        BadRequest | ForeignPage | NotFound | Unprocessable | StoreUnavailable | LookupsBusy
      > {
        yield* available
        const target = yield* targets.read(baseUrl)
        const receiver = yield* receiverOf(url)
        const verdict = yield* limits.submit(client)
        if (verdict._tag === "Refusal") return verdict
        yield* targets.lookUp(target, client.network)
        const { site } = target.run
        if ((yield* blocks.covering(site)) !== null)
          return yield* new Unprocessable({ error: BLOCKED.message, code: "audit_failed" })
        yield* prove(target.run.url, receiver, ownerKey, client.network)
        const created = yield* webhooks.create({ site, baseUrl: target.run.url, url: receiver, events })
        return created ?? (yield* TOO_MANY)
      })

      const known = Effect.fnUntraced(function* (id: string, secret: string | null) {
        const webhook = yield* webhooks.find(id)
        return webhook === null || secret === null || !isSame(secret, webhook.secret) ? yield* UNKNOWN : webhook
      })

      return {
        create: (asked, client) =>
          Effect.catchTag(create(asked, client), "LookupsBusy", () =>
            Effect.as(countRefusal(tooManyLookups), tooManyLookups)
          ),
        read: Effect.fnUntraced(function* (id, secret) {
          const webhook = yield* known(id, secret)
          return { webhook, deliveries: yield* deliveries.newest(webhook.id, SHOWN_DELIVERIES) }
        }),
        remove: (id, secret) => Effect.flatMap(known(id, secret), (webhook) => webhooks.remove(webhook.id)),
        test: Effect.fnUntraced(function* (id, secret, client) {
          const verdict = yield* limits.submit(client)
          if (verdict._tag === "Refusal") return verdict
          const webhook = yield* known(id, secret)
          yield* available
          if (webhook.problem !== null) return yield* ended(webhook.problem)
          return yield* deliveries.add(webhook.id, {
            type: TEST_EVENT,
            runId: null,
            body: yield* testMessage(webhook)
          })
        })
      }
    })
  )
}

/** In constant time. */
const isSame = (one: string, other: string): boolean => {
  const [given, kept] = [Buffer.from(one), Buffer.from(other)]
  return given.length === kept.length && timingSafeEqual(given, kept)
}

const NO_DATABASE = new NotFound({ error: "This service has no webhooks, because it has no database to keep them in." })

const TURNED_OFF = new NotFound({ error: "The operator of this service has turned webhooks off." })

/** The same for a wrong secret, so that ids cannot be tried out. */
const UNKNOWN = new NotFound({
  error: "There is no such webhook, or the request does not have its secret: send it as Authorization: Bearer whsec_….",
  code: "not_found"
})

const TOO_MANY = new Unprocessable({
  error: `This site has ${MOST_WEBHOOKS} webhooks, the most it may. Delete one first.`
})

const ended = (problem: string): Unprocessable =>
  new Unprocessable({ error: `Nothing is sent to this webhook any more: ${problem} Create it again.` })
