import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { instant } from "../../api/Parameters.ts"
import { adminErrors, Malformed, Missing } from "./AdminErrors.ts"
import { nextCursor, pageParameters, siteField } from "./Described.ts"

const reason = Schema.String.check(Schema.isMaxLength(500)).annotate({
  description: "For other operators; never shown to the public."
})

/** A site that is not audited. */
const BlockedSite = Schema.Struct({
  site: Schema.String.annotate({ description: "Host form of the site; everything below it is also blocked." }),
  reason,
  blocked_at: instant("When the site was blocked.")
}).annotate({ identifier: "BlockedSite" })

const BlockRequest = Schema.Struct({ site: siteField, reason: Schema.optionalKey(reason) }).annotate({
  identifier: "BlockWish"
})
const SiteRequest = Schema.Struct({ site: siteField }).annotate({ identifier: "SiteWish" })

const Blocked = Schema.Struct({
  blocked: BlockedSite,
  ended: Schema.Int.annotate({ description: "Pending and running runs that were ended with `error`." })
}).annotate({ identifier: "Blocked" })

const TakenDown = Schema.Struct({
  blocked: BlockedSite,
  deleted: Schema.Int.annotate({ description: "Deleted runs." })
}).annotate({ identifier: "TakenDown" })

const endpoints = [
  HttpApiEndpoint.get("listBlocks", "/api/admin/sites/blocked", {
    query: pageParameters("Sites"),
    success: Schema.Struct({
      sites: Schema.Array(BlockedSite).annotate({ description: "Sorted by site." }),
      next_cursor: nextCursor
    }).annotate({ identifier: "BlockPage" }),
    error: adminErrors
  }).annotateMerge(OpenApi.annotations({ summary: "List blocked sites", description: "Sites that are not audited." })),

  HttpApiEndpoint.post("blockSite", "/api/admin/sites/block", {
    payload: BlockRequest,
    success: Blocked,
    error: [Malformed, ...adminErrors]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Block a site",
      description:
        "Blocks audits of the site and everything below it: `POST /audit` returns 422 `audit_failed`. Pending audits end with this error at once, running audits within seconds. Reports are kept."
    })
  ),

  HttpApiEndpoint.post("unblockSite", "/api/admin/sites/unblock", {
    payload: SiteRequest,
    success: BlockedSite,
    error: [Malformed, Missing, ...adminErrors]
  }).annotateMerge(OpenApi.annotations({ summary: "Unblock a site", description: "The site can be audited again." })),

  HttpApiEndpoint.post("takeDownSite", "/api/admin/sites/takedown", {
    payload: BlockRequest,
    success: TakenDown,
    error: [Malformed, ...adminErrors]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Take a site down",
      description:
        "Blocks the site, and permanently deletes all runs, reports, archives and figures of the site and everything below it."
    })
  )
] as const

/** /api/admin/sites. */
export const sitesGroup = HttpApiGroup.make("managedSites", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Sites", description: "Blocking sites." }))
