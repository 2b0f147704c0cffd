import { below, normalise } from "../../evidence/Address.ts"
import type { Ask } from "../../evidence/Collector.ts"
import type { Base } from "../base/GatherContext.ts"

/** RFC 9727: where a site lists its APIs. Every reader requests it with the same headers, so that it is fetched once. */
export const catalogAsk = (base: Base): Ask => ({
  url: below(base.origin, ".well-known/api-catalog"),
  accept: "application/linkset+json, application/json;q=0.9"
})

/**
 * URLs of descriptions that no page announces: the defaults of common frameworks (`openapi.json`: FastAPI, Hono, Mintlify, Huma;
 * `swagger.json`: Swagger's own tools, ASP.NET; `v3/api-docs`: Spring; `api/openapi.json`: Next, Nuxt and others below `/api`), and
 * `openapi.yaml` for a file maintained by hand. Likeliest first.
 */
export const wellKnownUrls = (base: Base): ReadonlyArray<string> => {
  const own = base.folder === `${base.origin}/` ? [] : [base.folder]
  const places = [base.origin, ...own]
  const addresses = [
    ...places.map((place) => below(place, "openapi.json")),
    ...places.map((place) => below(place, "openapi.yaml")),
    ...places.map((place) => below(place, "swagger.json")),
    below(base.origin, "v3/api-docs"),
    below(base.origin, "api/openapi.json")
  ]
  return addresses.flatMap((address) => normalise(address) ?? [])
}
