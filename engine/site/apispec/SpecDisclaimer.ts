import type { ApiDescription } from "../../apispec/ApiSpec.ts"

/** Characters of the description that are read. */
const READ = 5_000

const KIND = "(?:(?:public|http|https|rest|restful|web|hosted|remote|network|callable|real)[ ,/-]{1,2}){0,4}"
const API =
  "api\\b(?![ -]?(?:keys?|tokens?|secrets?|credentials?|accounts?|calls?|requests?|limits?|versions?|changes?|clients?|gateways?)\\b)"

/** "This is not an HTTP API", "there is no public API". */
const IS_NONE = new RegExp(
  `\\b(?:is|are)(?: not|n['’]t) (?:an? |the )?${KIND}${API}|\\bno ${KIND}${API}(?=\\s*(?:[.,;:!?)]|$|\\b(?:here|yet|at all|for|to|in|on|behind|of|server|service|is|that|which)\\b))`,
  "i"
)

/** "This API does not edit media or run Acme": what follows is searched for the product's name. */
const DOES_NOT = /\b(?:does not|doesn['’]t|do not|don['’]t|cannot|can['’]t|never) ([^.!?\n]{1,160})/gi
const ACTS = /\b(?:run|call|control|operate|execute|drive|invoke|expose|access|provide|offer|serve|start|use)s?\b/i

/** Words of a title that name no product. */
const GENERIC =
  /^(?:API|APIs|Public|Private|Guide|Docs?|Documentation|Reference|REST|HTTP|Open|OpenAPI|Web|Service|Services|Server|Agent|Agents|The|And|For)$/i

/**
 * A stub that says of itself that it is no API, or none of the product: it declares no parameter, body or schema, only
 * URLs beside the documentation.
 */
export const disclaimsApi = (spec: ApiDescription): boolean => {
  const { describedParameters, describedProperties, exampleOperations } = spec.quality
  if (describedParameters.whole + describedProperties.whole + exampleOperations.whole > 0) return false
  const text = spec.description.slice(0, READ)
  return (
    IS_NONE.test(text) ||
    [...text.matchAll(DOES_NOT)].some(([, rest = ""]) => ACTS.test(rest) && namesProduct(rest, spec.title))
  )
}

/** A word of the title, written as a name there and here. */
const namesProduct = (text: string, title: string): boolean => {
  const names = title.split(/[^\p{L}\p{N}]+/u).filter((word) => /^\p{Lu}/u.test(word) && !GENERIC.test(word))
  const words = new Set(text.split(/[^\p{L}\p{N}]+/u))
  return names.some((name) => words.has(name))
}
