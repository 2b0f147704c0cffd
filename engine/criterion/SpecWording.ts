import { enumerated, type Forms, grouped, pathShown } from "./Wording.ts"
import { plainText } from "../text/PlainText.ts"
import type {
  ApiDescription,
  FoundSpec,
  Portion,
  SpecCandidate,
  SpecFormat,
  SpecOperation
} from "../apispec/ApiSpec.ts"

const NAMES: Readonly<Record<SpecFormat, string>> = {
  openapi: "OpenAPI",
  swagger: "Swagger",
  asyncapi: "AsyncAPI",
  openrpc: "OpenRPC",
  graphql: "GraphQL",
  postman: "Postman"
}

/** `OpenAPI 3.1.0`, `GraphQL`. */
export const formatShown = ({ format, formatVersion }: ApiDescription): string =>
  `${NAMES[format]} ${formatVersion.slice(0, 20)}`.trim()

/** `the OpenAPI 3.1.0 description at /openapi.json`. */
export const specShown = ({ spec, url, sources }: FoundSpec): string =>
  `the ${formatShown(spec)} description ${sources.includes("inline") ? "inside" : "at"} ${pathShown(url)}`

const PLACEHOLDERS: Readonly<Record<NonNullable<SpecCandidate["placeholder"]>, string>> = {
  no_operations: "has neither operations nor webhooks",
  pet_store: "is the Petstore sample, not this product's API",
  plant_store: "is the Plant Store sample, not this product's API",
  no_api: "says that it is not the product's API"
}

/** Why a description is a placeholder, to follow its name. */
export const placeholderShown = ({ placeholder }: SpecCandidate): string =>
  placeholder === null ? "is a placeholder" : PLACEHOLDERS[placeholder]

/** `93 of 97 operations`, `all 97 operations`, `none of its 3 operations`; of one: `its only operation`, `0 of 1 operation`. */
export const portionShown = ({ part, whole }: Portion, [singular, plural]: Forms): string => {
  if (whole === 1) return part === 1 ? `its only ${singular}` : `0 of 1 ${singular}`
  if (part === whole) return `all ${grouped(whole)} ${plural}`
  return part === 0 ? `none of its ${grouped(whole)} ${plural}` : `${grouped(part)} of ${grouped(whole)} ${plural}`
}

/** `GET /users/{id}`. */
export const operationShown = ({ method, path }: SpecOperation): string => plainText(`${method} ${path}`, 100)

/** Portions of groups that have members, as a list; groups without any are left out. */
export const portionsShown = (groups: ReadonlyArray<readonly [Portion, Forms]>): string =>
  enumerated(groups.filter(([{ whole }]) => whole > 0).map(([portion, forms]) => portionShown(portion, forms)))
