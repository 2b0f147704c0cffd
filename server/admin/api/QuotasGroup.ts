import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented } from "../../api/Documented.ts"
import { adminErrors, Malformed } from "./AdminErrors.ts"
import { siteParameter } from "./Described.ts"

const Standing = Schema.Struct({
  limit: Schema.Int.annotate({ description: "How many there are in a window." }),
  window_seconds: Schema.Number.annotate({ description: "How long a window is." }),
  remaining: Schema.Int.annotate({ description: "How many are left now." }),
  reset_seconds: Schema.Int.annotate({ description: "Seconds until there is more, or until all of it is back." })
}).annotate({ identifier: "Standing" })

/** How someone stands with a limit. */
export const QuotaAnswer = Schema.Struct({
  subject: Schema.String.annotate({ description: "Whom the limit counts for." }),
  standing: Schema.NullOr(Standing).annotate({ description: "`null` where the limit is off." })
}).annotate({ identifier: "QuotaAnswer" })
export type QuotaAnswer = typeof QuotaAnswer.Type

const client = documented({ type: "string", description: "Address of the client, IPv4 or IPv6." }, "192.0.2.7").check(Schema.isMaxLength(64))
const domain = documented({ type: "string", description: "A registrable domain; of a longer name, the one that it belongs to." }, "example.com")
  .check(Schema.isMinLength(1), Schema.isMaxLength(253))

const common = { success: QuotaAnswer, error: [Malformed, ...adminErrors] } as const

const endpoints = [
  HttpApiEndpoint.get("readSubmitQuota", "/api/admin/quotas/submit", { query: { client }, ...common })
    .annotateMerge(OpenApi.annotations({ summary: "Look at a client's submissions", description: "What is left of `DOCGAUGE_SUBMIT_RATE`." })),
  HttpApiEndpoint.delete("resetSubmitQuota", "/api/admin/quotas/submit", { query: { client }, ...common })
    .annotateMerge(OpenApi.annotations({ summary: "Reset a client's submissions", description: "The client may submit as if it never had." })),
  HttpApiEndpoint.get("readSiteQuota", "/api/admin/quotas/site", { query: { client, site: siteParameter }, ...common })
    .annotateMerge(OpenApi.annotations({ summary: "Look at a client's quota on a site", description: "What is left of `DOCGAUGE_SITE_QUOTA` for the client's network." })),
  HttpApiEndpoint.delete("resetSiteQuota", "/api/admin/quotas/site", { query: { client, site: siteParameter }, ...common })
    .annotateMerge(OpenApi.annotations({ summary: "Reset a client's quota on a site", description: "The client's network may have the site audited again." })),
  HttpApiEndpoint.get("readHostBudget", "/api/admin/quotas/host", { query: { domain }, ...common })
    .annotateMerge(OpenApi.annotations({ summary: "Look at a domain's budget", description: "What is left of `DOCGAUGE_HOST_BUDGET`, in requests." })),
  HttpApiEndpoint.delete("resetHostBudget", "/api/admin/quotas/host", { query: { domain }, ...common })
    .annotateMerge(OpenApi.annotations({ summary: "Reset a domain's budget", description: "The domain may be audited as if nothing had been sent to it." }))
] as const

/** /api/admin/quotas. */
export const quotasGroup = HttpApiGroup.make("quotas", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Quotas", description: "Looking at limits that last, and giving back what they count." }))
