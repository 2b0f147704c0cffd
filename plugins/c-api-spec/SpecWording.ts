import { grouped, pathShown, percent } from "../../engine/criterion/Wording.ts"
import { ratio } from "../../engine/criterion/Fact.ts"
import type { ApiDescription, FoundSpec, Portion, SpecCandidate, SpecFormat } from "../../engine/site/ApiSpec.ts"

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

/** Why a description counts for nothing, to follow its name. */
export const placeholderShown = ({ placeholder }: SpecCandidate): string =>
  placeholder === "no_operations" ? "has no operations" : "is the well-known pet store, which this site is not about"

/** `96 % of 97 operations`, `none of 3 operations`, `1 of 1 operations`, `no operations`. */
export const portionShown = ({ part, whole }: Portion, plural: string): string => {
  if (whole === 0) return `no ${plural}`
  if (whole === 1) return `${part} of 1 ${plural}`
  const all = `${grouped(whole)} ${plural}`
  return part === 0 ? `none of ${all}` : part === whole ? `all ${all}` : `${percent(ratio(part, whole))} of ${all}`
}

/** The first letter in upper case. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
