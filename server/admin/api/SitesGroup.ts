import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { clampedParameter } from "../../api/Parameters.ts"
import { adminErrors, Malformed, Missing } from "./AdminErrors.ts"
import { cursorParameter, moment, siteText } from "./Described.ts"

const reason = Schema.String.check(Schema.isMaxLength(500)).annotate({ description: "For other operators; never shown to the public." })

/** A site that is not audited. */
export const BlockedSite = Schema.Struct({
  site: Schema.String.annotate({ description: "Its host form; everything below it is blocked as well." }),
  reason,
  blocked_at: moment("Since when.")
}).annotate({ identifier: "BlockedSite" })

const BlockWish = Schema.Struct({ site: siteText, reason: Schema.optionalKey(reason) }).annotate({ identifier: "BlockWish" })
const SiteWish = Schema.Struct({ site: siteText }).annotate({ identifier: "SiteWish" })

const Blocked = Schema.Struct({
  blocked: BlockedSite,
  ended: Schema.Int.annotate({ description: "Runs that were pending or running, and ended in `error`." })
}).annotate({ identifier: "Blocked" })

const TakenDown = Schema.Struct({
  blocked: BlockedSite,
  deleted: Schema.Int.annotate({ description: "Runs that were deleted." })
}).annotate({ identifier: "TakenDown" })

const endpoints = [
  HttpApiEndpoint.get("listBlocks", "/api/admin/sites/blocked", {
    query: {
      limit: Schema.optionalKey(clampedParameter({ minimum: 1, maximum: 200, fallback: 50, description: "Sites on a page. Values out of range are clamped." })),
      cursor: Schema.optionalKey(cursorParameter("The `next_cursor` of the page before."))
    },
    success: Schema.Struct({
      sites: Schema.Array(BlockedSite).annotate({ description: "By site." }),
      next_cursor: Schema.String.annotate({ description: "The `cursor` of the next page; empty on the last." })
    }).annotate({ identifier: "BlockPage" }),
    error: adminErrors
  }).annotateMerge(OpenApi.annotations({ summary: "List blocked sites", description: "Sites that are not audited." })),

  HttpApiEndpoint.post("blockSite", "/api/admin/sites/block", { payload: BlockWish, success: Blocked, error: [Malformed, ...adminErrors] })
    .annotateMerge(OpenApi.annotations({
      summary: "Block a site",
      description: "It is not audited any more, nor is anything below it: `POST /audit` answers 422 `audit_failed`. Audits that are pending end so at once, those that are running within seconds. Its reports stay."
    })),

  HttpApiEndpoint.post("unblockSite", "/api/admin/sites/unblock", { payload: SiteWish, success: BlockedSite, error: [Malformed, Missing, ...adminErrors] })
    .annotateMerge(OpenApi.annotations({ summary: "Unblock a site", description: "It may be audited again." })),

  HttpApiEndpoint.post("takeDownSite", "/api/admin/sites/takedown", { payload: BlockWish, success: TakenDown, error: [Malformed, ...adminErrors] })
    .annotateMerge(OpenApi.annotations({
      summary: "Take a site down",
      description: "Blocks it, and deletes all its runs, reports, archives and figures, and those of everything below it, for good."
    }))
] as const

/** /api/admin/sites. */
export const sitesGroup = HttpApiGroup.make("managedSites", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Sites", description: "Shutting sites out." }))
