import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented } from "../../api/Parameters.ts"
import { adminErrors, Malformed } from "./AdminErrors.ts"
import { siteParameter } from "./Described.ts"

const Standing = Schema.Struct({
  limit: Schema.Int.annotate({ description: "Maximum per window." }),
  window_seconds: Schema.Number.annotate({ description: "Length of the window." }),
  remaining: Schema.Int.annotate({ description: "Number left." }),
  reset_seconds: Schema.Int.annotate({ description: "Seconds until more are allowed, or until the window is reset." })
}).annotate({ identifier: "Standing" })

/** The state of a limit for one subject. */
export const QuotaAnswer = Schema.Struct({
  subject: Schema.String.annotate({ description: "The client, network or domain of the limit." }),
  standing: Schema.NullOr(Standing).annotate({ description: "`null` if the limit is off." })
}).annotate({ identifier: "QuotaAnswer" })
export type QuotaAnswer = typeof QuotaAnswer.Type

const client = documented({ type: "string", description: "IP address of the client." }, "192.0.2.7").check(
  Schema.isMaxLength(64)
)
const domain = documented(
  { type: "string", description: "A registrable domain, or a host name in it." },
  "example.com"
).check(Schema.isMinLength(1), Schema.isMaxLength(253))

const common = { success: QuotaAnswer, error: [Malformed, ...adminErrors] } as const

const endpoints = [
  HttpApiEndpoint.get("readSubmitQuota", "/api/admin/quotas/submit", { query: { client }, ...common }).annotateMerge(
    OpenApi.annotations({
      summary: "Read a client's submissions",
      description: "Returns what is left of `DOCGAUGE_SUBMIT_RATE`."
    })
  ),
  HttpApiEndpoint.delete("resetSubmitQuota", "/api/admin/quotas/submit", {
    query: { client },
    ...common
  }).annotateMerge(
    OpenApi.annotations({ summary: "Reset a client's submissions", description: "Clears the count of the client." })
  ),
  HttpApiEndpoint.get("readSiteQuota", "/api/admin/quotas/site", {
    query: { client, site: siteParameter },
    ...common
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Read a client's quota on a site",
      description: "Returns what is left of `DOCGAUGE_SITE_QUOTA` for the client's network."
    })
  ),
  HttpApiEndpoint.delete("resetSiteQuota", "/api/admin/quotas/site", {
    query: { client, site: siteParameter },
    ...common
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Reset a client's quota on a site",
      description: "The client's network can then audit the site again."
    })
  ),
  HttpApiEndpoint.get("readHostBudget", "/api/admin/quotas/host", { query: { domain }, ...common }).annotateMerge(
    OpenApi.annotations({
      summary: "Read a domain's budget",
      description: "Returns what is left of `DOCGAUGE_HOST_BUDGET`, in requests."
    })
  ),
  HttpApiEndpoint.delete("resetHostBudget", "/api/admin/quotas/host", { query: { domain }, ...common }).annotateMerge(
    OpenApi.annotations({
      summary: "Reset a domain's budget",
      description: "Clears the count of requests to the domain."
    })
  )
] as const

/** /api/admin/quotas. */
export const quotasGroup = HttpApiGroup.make("quotas", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Quotas", description: "Reading and resetting persistent limits." }))
