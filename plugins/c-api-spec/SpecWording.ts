import { type Forms, grouped, pathShown, percent } from "../../engine/criterion/Wording.ts"
import { ratio } from "../../engine/criterion/Fact.ts"
import type { ApiDescription, FoundSpec, Portion, SpecCandidate, SpecFormat } from "../../engine/apispec/ApiSpec.ts"

const NAMES: Readonly<Record<SpecFormat, string>> = {
  openapi: "OpenAPI",
  swagger: "Swagger",
  asyncapi: "AsyncAPI",
  openrpc: "OpenRPC",
  graphql: "GraphQL",
  postman: "Postman"
}

/** `OpenAPI 3.1.0`, `GraphQL`. */
export const formatShown = ({ format, formatVersion }: ApiDescription): string => `${NAMES[format]} ${formatVersion.slice(0, 20)}`.trim()

/** `the OpenAPI 3.1.0 description at /openapi.json`. */
export const specShown = ({ spec, url, sources }: FoundSpec): string =>
  `the ${formatShown(spec)} description ${sources.includes("inline") ? "inside" : "at"} ${pathShown(url)}`

const PLACEHOLDERS: Readonly<Record<NonNullable<SpecCandidate["placeholder"]>, string>> = {
  no_operations: "has no operations",
  pet_store: "is the Petstore sample, not this product's API",
  no_api: "says that it is not the product's API"
}

/** Why a description is a placeholder, to follow its name. */
export const placeholderShown = ({ placeholder }: SpecCandidate): string => (placeholder === null ? "is a placeholder" : PLACEHOLDERS[placeholder])

/** `96% of 97 operations`, `none of 3 operations`, `1 of 1 operation`, `no operations`. */
export const portionShown = ({ part, whole }: Portion, [singular, plural]: Forms): string => {
  if (whole === 0) return `no ${plural}`
  if (whole === 1) return `${part} of 1 ${singular}`
  const all = `${grouped(whole)} ${plural}`
  return part === 0 ? `none of ${all}` : part === whole ? `all ${all}` : `${percent(ratio(part, whole))} of ${all}`
}
