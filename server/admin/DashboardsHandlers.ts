import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Dashboard, DashboardStore } from "../../engine/store/operators/DashboardStore.ts"
import { DashboardDefinition } from "../dashboards/Widgets.ts"
import { orUnavailable } from "../http/errors/Refusals.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { adminApi } from "./api/AdminApi.ts"
import { Conflict, Missing } from "./api/AdminErrors.ts"
import type { ManagedDashboard } from "./api/DashboardsGroup.ts"

const Definition = Schema.fromJsonString(DashboardDefinition)
const decodeDefinition = Schema.decodeEffect(Definition)
const encodeDefinition = Schema.encodeSync(Definition)

/** Stored definitions are valid: they were checked before storing. */
const shown = ({ definition, isPublic, slug, title }: Dashboard): Effect.Effect<ManagedDashboard> =>
  Effect.map(Effect.orDie(decodeDefinition(definition)), (definition) => ({
    slug,
    title,
    public: isPublic,
    definition
  }))

const inBrief = ({ definition, isPublic, title }: Dashboard): string =>
  `${isPublic ? "public" : "not public"}, ${JSON.stringify(title)}, ${definition}`

/** /api/admin/dashboards. */
export const dashboardsHandlers = HttpApiBuilder.group(
  adminApi,
  "managedDashboards",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* DashboardStore
    const changes = yield* AdminChanges

    const existing = Effect.fnUntraced(function* (slug: string) {
      const dashboard = yield* store.find(slug)
      return dashboard ?? (yield* new Missing({ error: "There is no such dashboard.", code: "not_found" }))
    })

    const change = (action: string, slug: string, next: (before: Dashboard) => Dashboard) =>
      changes.make(
        Effect.gen(function* () {
          const before = yield* existing(slug)
          const after = next(before)
          yield* store.put(after)
          return { value: yield* shown(after), action, subject: slug, before: inBrief(before), after: inBrief(after) }
        })
      )

    const create = (dashboard: Dashboard) =>
      changes.make(
        Effect.gen(function* () {
          if ((yield* store.find(dashboard.slug)) !== null)
            return yield* new Conflict({ error: "A dashboard with this slug already exists.", code: "exists" })
          yield* store.put(dashboard)
          return {
            value: yield* shown(dashboard),
            action: "dashboard.create",
            subject: dashboard.slug,
            before: null,
            after: inBrief(dashboard)
          }
        })
      )

    const remove = (slug: string) =>
      changes.make(
        Effect.gen(function* () {
          const before = yield* existing(slug)
          yield* store.remove(slug)
          return { value: undefined, action: "dashboard.delete", subject: slug, before: inBrief(before), after: null }
        })
      )

    return handlers.handleAll({
      listDashboards: () =>
        Effect.flatMap(orUnavailable(store.list), (all) =>
          Effect.map(Effect.forEach(all, shown), (dashboards) => ({ dashboards }))
        ),
      createDashboard: ({ payload: { definition, public: isPublic = false, slug, title } }) =>
        orUnavailable(create({ slug, title, isPublic, definition: encodeDefinition(definition) })),
      readDashboard: ({ params: { slug } }) => Effect.flatMap(orUnavailable(existing(slug)), shown),
      changeDashboard: ({ params: { slug }, payload: { definition, public: isPublic, title } }) =>
        orUnavailable(
          change("dashboard.change", slug, (before) => ({
            slug,
            title,
            isPublic: isPublic ?? before.isPublic,
            definition: encodeDefinition(definition)
          }))
        ),
      deleteDashboard: ({ params: { slug } }) => orUnavailable(remove(slug)),
      publishDashboard: ({ params: { slug } }) =>
        orUnavailable(change("dashboard.publish", slug, (before) => ({ ...before, isPublic: true }))),
      unpublishDashboard: ({ params: { slug } }) =>
        orUnavailable(change("dashboard.unpublish", slug, (before) => ({ ...before, isPublic: false })))
    })
  })
)
