import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { LimitRefusal } from "../../../engine/limit/LimitDecision.ts"
import type { Delivery } from "../../../engine/store/webhooks/DeliveryStore.ts"
import { WEBHOOK_EVENTS } from "../../../engine/store/webhooks/WebhookStore.ts"
import { api } from "../../api/Api.ts"
import { BadRequest, ForeignPage } from "../../api/Errors.ts"
import { type CreatedWebhook, type WebhookBody, WebhookRequestBody } from "../../api/WebhookGroup.ts"
import { isOwnerKey } from "../../audits/VerificationTokens.ts"
import { addresses } from "../../config/Settings.ts"
import { JSON_TYPE, NO_STORE } from "../../response/CommonHeaders.ts"
import { type WatchedWebhook, Webhooks } from "../../webhooks/Webhooks.ts"
import { firstIssue, orUnavailable, tooManyRequests } from "../errors/Refusals.ts"
import { Clients, isFromForeignPage } from "../request/Clients.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"
import { readJsonObject } from "./SubmissionBody.ts"

/** /api/public/webhooks. */
export const webhookHandlers = isolatedGroup(
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const clients = yield* Clients
    const { base } = yield* addresses

    const create = Effect.fnUntraced(function* (request: HttpServerRequest) {
      if (isFromForeignPage(request, base)) return yield* FOREIGN
      const asked = yield* askedIn(yield* readJsonObject(request))
      const created = yield* orRefused(
        webhooks.create(
          {
            baseUrl: asked.base_url,
            url: asked.url,
            ownerKey: asked.owner_key ?? null,
            events: asked.events ?? WEBHOOK_EVENTS
          },
          clients.of(request)
        )
      )
      const { baseUrl, events, id, secret, url } = created
      const body: CreatedWebhook = { id, secret, base_url: baseUrl, url, events }
      return HttpServerResponse.text(JSON.stringify(body), { status: 201, contentType: JSON_TYPE, headers: NO_STORE })
    }, orUnavailable)

    return HttpApiBuilder.group(api, "webhooks", (handlers) =>
      handlers
        .handleRaw("createWebhook", ({ request }) => create(request))
        .handle("getWebhook", ({ params: { id }, request }) =>
          orUnavailable(Effect.map(webhooks.read(id, secretIn(request)), (found) => kept(shown(found))))
        )
        .handle("testWebhook", ({ params: { id }, request }) =>
          orUnavailable(
            Effect.map(orRefused(webhooks.test(id, secretIn(request), clients.of(request))), (delivery) =>
              kept({ id: delivery })
            )
          )
        )
        .handle("deleteWebhook", ({ params: { id }, request }) => orUnavailable(webhooks.remove(id, secretIn(request))))
    )
  })
)

const FOREIGN = new ForeignPage({ error: "Pages of other sites cannot create webhooks here. Use a program." })

const decode = Schema.decodeUnknownEffect(WebhookRequestBody)

/** What a client asks for. A message names what is wrong and repeats nothing that the client sent. */
const askedIn = Effect.fnUntraced(function* (body: unknown) {
  const asked = yield* Effect.mapError(decode(body), ({ issue }) => {
    const [field = "the body"] = firstIssue(issue).path
    return new BadRequest({ error: EXPECTED[field] ?? `${field} is not as the contract defines it.` })
  })
  if (asked.owner_key !== undefined && !isOwnerKey(asked.owner_key))
    return yield* new BadRequest({ error: EXPECTED["owner_key"] ?? "" })
  return asked
})

const EXPECTED: Readonly<Record<string, string>> = {
  base_url: "base_url has to be the URL of a documentation site, of at most 2,048 characters.",
  url: "url has to be the https URL to post messages to, of at most 2,048 characters.",
  owner_key:
    "owner_key has to be a key that this service gave you: 43 letters, digits, - and _. Leave it out to get one.",
  events: `events has to be a list of one or more of ${WEBHOOK_EVENTS.join(", ")}. Leave it out to get all of them.`
}

/** The secret that a client sent; `null` without one. */
const secretIn = ({ headers }: HttpServerRequest): string | null =>
  /^bearer +(\S{1,200})$/i.exec(headers["authorization"]?.trim() ?? "")?.[1] ?? null

const isRefusal = (value: unknown): value is LimitRefusal =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === "Refusal"

const orRefused = <A, E, R>(effect: Effect.Effect<A | LimitRefusal, E, R>) =>
  Effect.flatMap(effect, (result) =>
    isRefusal(result) ? Effect.fail(tooManyRequests(result)) : Effect.succeed(result)
  )

const kept = <Body>(body: Body) => HttpApiSchema.withHeaders({ body, headers: NO_STORE })

const shown = ({ deliveries, webhook }: WatchedWebhook): WebhookBody => ({
  id: webhook.id,
  base_url: webhook.baseUrl,
  url: webhook.url,
  events: webhook.events,
  created_at: webhook.createdAt,
  ...(webhook.problem === null ? { state: "active" } : { state: "disabled", problem: webhook.problem }),
  deliveries: deliveries.map(shownDelivery)
})

const shownDelivery = (delivery: Delivery): WebhookBody["deliveries"][number] => ({
  id: delivery.id,
  type: delivery.type,
  ...(delivery.runId === null ? {} : { run_id: delivery.runId }),
  state: delivery.state,
  attempts: delivery.attempts,
  created_at: delivery.createdAt,
  ...(delivery.nextAt === null ? {} : { next_at: delivery.nextAt }),
  ...(delivery.lastStatus === null ? {} : { last_status: delivery.lastStatus }),
  ...(delivery.lastProblem === null ? {} : { last_problem: delivery.lastProblem })
})
