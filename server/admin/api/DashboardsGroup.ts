import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented } from "../../api/Parameters.ts"
import { DashboardDefinition } from "../../dashboards/Widgets.ts"
import { adminErrors, Conflict, Malformed, Missing } from "./AdminErrors.ts"

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/

const slug = Schema.String.check(Schema.isPattern(SLUG)).annotate({
  description: "The name in its URL: at most 100 lower-case letters, digits and hyphens.",
  examples: ["acme-docs"]
})

const title = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)).annotate({
  description: "Heading of the dashboard."
})

const isPublic = Schema.Boolean.annotate({ description: "Whether everyone can read it." })

/** A dashboard as operators see it. */
export const ManagedDashboard = Schema.Struct({
  slug,
  title,
  public: isPublic,
  definition: DashboardDefinition
}).annotate({ identifier: "ManagedDashboard", description: "A dashboard, without figures." })
export type ManagedDashboard = typeof ManagedDashboard.Type

const NewDashboard = Schema.Struct({
  slug,
  title,
  public: Schema.optionalKey(isPublic),
  definition: DashboardDefinition
}).annotate({ identifier: "NewDashboard", description: "A dashboard to create; not public by default." })

/** The new content of a dashboard. */
const DashboardChange = Schema.Struct({
  title,
  public: Schema.optionalKey(isPublic),
  definition: DashboardDefinition
}).annotate({
  identifier: "DashboardChange",
  description: "New title and definition of a dashboard. Without `public` its visibility does not change."
})

const params = {
  slug: documented({ type: "string", description: "The dashboard." }, "acme-docs").check(Schema.isMaxLength(200))
}

const errors = [Malformed, Missing, ...adminErrors] as const

const endpoints = [
  HttpApiEndpoint.get("listDashboards", "/api/admin/dashboards", {
    success: Schema.Struct({
      dashboards: Schema.Array(ManagedDashboard).annotate({ description: "By slug." })
    }).annotate({ identifier: "DashboardList" }),
    error: adminErrors
  }).annotateMerge(OpenApi.annotations({ summary: "List dashboards", description: "All dashboards, public or not." })),

  HttpApiEndpoint.post("createDashboard", "/api/admin/dashboards", {
    payload: NewDashboard,
    success: ManagedDashboard.pipe(HttpApiSchema.status(201)),
    error: [Malformed, Conflict, ...adminErrors]
  }).annotateMerge(
    OpenApi.annotations({ summary: "Create a dashboard", description: "Its figures are computed on the first read." })
  ),

  HttpApiEndpoint.get("readDashboard", "/api/admin/dashboards/:slug", {
    params,
    success: ManagedDashboard,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({ summary: "Read a dashboard", description: "Returns its definition, without figures." })
  ),

  HttpApiEndpoint.put("changeDashboard", "/api/admin/dashboards/:slug", {
    params,
    payload: DashboardChange,
    success: ManagedDashboard,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({ summary: "Change a dashboard", description: "Its figures are computed again." })
  ),

  HttpApiEndpoint.delete("deleteDashboard", "/api/admin/dashboards/:slug", {
    params,
    success: HttpApiSchema.NoContent,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({ summary: "Delete a dashboard", description: "Deletes the dashboard and its figures." })
  ),

  HttpApiEndpoint.post("publishDashboard", "/api/admin/dashboards/:slug/publish", {
    params,
    success: ManagedDashboard,
    error: errors
  }).annotateMerge(OpenApi.annotations({ summary: "Publish a dashboard", description: "Everyone can then read it." })),

  HttpApiEndpoint.post("unpublishDashboard", "/api/admin/dashboards/:slug/unpublish", {
    params,
    success: ManagedDashboard,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({ summary: "Unpublish a dashboard", description: "The public can then no longer read it." })
  )
] as const

/** /api/admin/dashboards. */
export const dashboardsGroup = HttpApiGroup.make("managedDashboards", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Dashboards", description: "Creating and publishing dashboards." }))
