import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { WEBHOOK_EVENTS } from "../../engine/store/webhooks/WebhookStore.ts"
import { instant, runIdParameter } from "./Parameters.ts"
import {
  BadRequest,
  ContentTooLarge,
  ForeignPage,
  NotFound,
  storeErrors,
  Unprocessable,
  UnsupportedMediaType
} from "./Errors.ts"
import { noStore } from "./Headers.ts"

const webhookId = Schema.String.annotate({ description: "Identifier of the webhook.", format: "uuid" })
const baseUrl = Schema.String.annotate({ description: "The site that it tells of, a full URL.", format: "uri" })
const url = Schema.String.annotate({ description: "Where messages are posted to.", format: "uri" })
const events = Schema.Array(Schema.Literals(WEBHOOK_EVENTS)).annotate({
  description:
    "`audit.finished`: an audit of the site has a report. `score.fell`: its score is lower than that of the audit before. `criterion.lost`: a criterion earns fewer points than in the audit before."
})

/** The body of POST /api/public/webhooks. */
export const WebhookRequestBody = Schema.Struct({
  base_url: Schema.String.check(Schema.isMaxLength(2_048)).annotate({
    description: "Root URL of the documentation site, as for an audit.",
    format: "uri"
  }),
  url: Schema.String.check(Schema.isMaxLength(2_048)).annotate({
    description: "Where messages are posted to: public, `https://`, without credentials or port.",
    format: "uri"
  }),
  owner_key: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(200)).annotate({
      description:
        "Proves that the owner of both asks, if the site and the host of `url` publish the tokens of this key. Leave it out to get a key and its tokens in a 403."
    })
  ),
  events: Schema.optionalKey(
    events
      .check(Schema.isMinLength(1), Schema.isMaxLength(WEBHOOK_EVENTS.length))
      .annotate({ description: "What to tell of; each is a message of its own. All of them if left out." })
  )
}).annotate({ identifier: "WebhookRequest", description: "A webhook to create." })

/** The body of 201. */
export const CreatedWebhook = Schema.Struct({
  id: webhookId,
  secret: Schema.String.annotate({
    description:
      "Verifies messages, as Standard Webhooks has it, and reads and deletes the webhook as `Authorization: Bearer`. It is shown only once.",
    examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="]
  }),
  base_url: baseUrl,
  url,
  events
}).annotate({ identifier: "CreatedWebhook", description: "A new webhook, with its secret." })
export type CreatedWebhook = typeof CreatedWebhook.Type

const WebhookDelivery = Schema.Struct({
  id: Schema.String.annotate({ description: "The `webhook-id` of each attempt.", format: "uuid" }),
  type: Schema.String.annotate({
    description: "The type of the event: one of `events`, or `webhook.test`.",
    examples: ["score.fell"]
  }),
  run_id: Schema.optionalKey(
    Schema.String.annotate({ description: "The run that it tells of; left out of a test.", format: "uuid" })
  ),
  state: Schema.Literals(["waiting", "delivered", "failed", "dropped"]).annotate({
    description: "`failed`: it is not sent again. `dropped`: it was not sent any more, as `last_problem` says."
  }),
  attempts: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "How often it was sent." }),
  created_at: instant("When the event happened."),
  next_at: Schema.optionalKey(instant("When it is sent next; left out unless it is `waiting`.")),
  last_status: Schema.optionalKey(
    Schema.Int.annotate({ description: "The status of the last response; left out if there was none." })
  ),
  last_problem: Schema.optionalKey(
    Schema.String.annotate({ description: "Why the last attempt failed; left out if it did not." })
  )
}).annotate({ identifier: "WebhookDelivery", description: "One message, and what came of it." })

/** The body of GET /api/public/webhooks/{id}. */
export const WebhookBody = Schema.Struct({
  id: webhookId,
  base_url: baseUrl,
  url,
  events,
  created_at: instant("When it was created."),
  state: Schema.Literals(["active", "disabled"]).annotate({
    description: "`disabled`: nothing is sent any more, as `problem` says. Create it again."
  }),
  problem: Schema.optionalKey(
    Schema.String.annotate({ description: "Why it is disabled; left out while it is active." })
  ),
  deliveries: Schema.Array(WebhookDelivery).annotate({ description: "The newest 20, newest first." })
}).annotate({ identifier: "Webhook", description: "A webhook and its newest deliveries." })
export type WebhookBody = typeof WebhookBody.Type

/** The body of 202. */
const TestAccepted = Schema.Struct({
  id: Schema.String.annotate({ description: "The `webhook-id` of the message that is sent.", format: "uuid" })
}).annotate({
  identifier: "WebhookTest",
  description: "A test message is on its way: read the webhook to see what came of it."
})

const params = { id: runIdParameter("The webhook.", "8c0f3f7e-52a5-4a3b-9d0e-6f1f7c1a2b3c") }
const uncached = { "cache-control": noStore }

/** Only who has the webhook's secret. */
const withSecret = (summary: string, description: string) =>
  OpenApi.annotations({
    summary,
    description: `${description} Needs its secret: \`Authorization: Bearer whsec_…\`.`,
    transform: (operation) => ({ ...operation, security: [{ webhookSecret: [] }] })
  })

const createWebhook = HttpApiEndpoint.post("createWebhook", "/api/public/webhooks", {
  payload: WebhookRequestBody,
  success: HttpApiSchema.WithHeaders(CreatedWebhook.pipe(HttpApiSchema.status(201)), uncached),
  error: [BadRequest, ForeignPage, NotFound, ContentTooLarge, UnsupportedMediaType, Unprocessable, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Create a webhook",
    description:
      "For the owner of a site: posts a signed message to `url` when an audit of the site finishes, its score falls or a criterion is lost. The site and the host of `url` have to publish the tokens of `owner_key`. A webhook of the site at the same `url` gets a new secret and these events. A site can have five webhooks."
  })
)

const getWebhook = HttpApiEndpoint.get("getWebhook", "/api/public/webhooks/:id", {
  params,
  success: HttpApiSchema.WithHeaders(WebhookBody, uncached),
  error: [BadRequest, NotFound, ...storeErrors]
}).annotateMerge(withSecret("Read a webhook", "The webhook and its newest deliveries."))

const testWebhook = HttpApiEndpoint.post("testWebhook", "/api/public/webhooks/:id/test", {
  params,
  success: HttpApiSchema.WithHeaders(TestAccepted.pipe(HttpApiSchema.status(202)), uncached),
  error: [BadRequest, NotFound, Unprocessable, ...storeErrors]
}).annotateMerge(withSecret("Try a webhook out", "Sends it a message of the type `webhook.test`, once."))

const deleteWebhook = HttpApiEndpoint.delete("deleteWebhook", "/api/public/webhooks/:id", {
  params,
  success: HttpApiSchema.NoContent,
  error: [BadRequest, NotFound, ...storeErrors]
}).annotateMerge(withSecret("Delete a webhook", "Nothing is sent to it any more, and its deliveries are deleted, too."))

/** /api/public/webhooks. */
export const webhookGroup = HttpApiGroup.make("webhooks", { topLevel: true })
  .add(createWebhook, getWebhook, testWebhook, deleteWebhook)
  .annotateMerge(OpenApi.annotations({ title: "Webhooks", description: "Being told of finished audits." }))
