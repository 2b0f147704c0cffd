import type { FoundSpec } from "../../apispec/ApiSpec.ts"
import { below } from "../../evidence/Address.ts"
import { isAnswer, mediaType } from "../../evidence/Exchange.ts"
import { NOTHING, notWritten, onlyFile, type Written } from "../site/GeneratedFile.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"

/** Types that say nothing of a description. */
const GENERIC_TYPES = new Set(["", "application/octet-stream", "text/plain", "text/html", "binary/octet-stream"])

/** The media type of an API description as it is served; empty where that says nothing. */
export const specType = ({ exchange }: FoundSpec): string => {
  const type = isAnswer(exchange) ? mediaType(exchange) : ""
  return GENERIC_TYPES.has(type) || !/^[\w.+-]+\/[\w.+-]+$/.test(type) ? "" : type
}

/** The description, if it is a document of its own: not one inside a page. */
export const publishedSpec = ({ spec: { best } }: PublishedSite): FoundSpec | null =>
  best === null || best.offSite || best.sources.every((source) => source === "inline") ? null : best

const nothingToList = ({ spec: { best, candidates } }: PublishedSite): string => {
  if (best !== null) return "The API description is part of a page or script. Publish it as a file first."
  return candidates.some(({ offSite }) => offSite)
    ? "The API description is on another site. Publish it on this one first."
    : "We found no API description to list. Publish one first."
}

/** Writes /.well-known/api-catalog (RFC 9727) as a linkset: the API's server, its description and its documentation. */
export const apiCatalogFile = (site: PublishedSite): Written => {
  const spec = publishedSpec(site)
  if (spec === null) return notWritten("f2-catalogue-and-auth", nothingToList(site))
  const server = spec.spec.servers.find(({ template, usable }) => usable && template === undefined)
  if (server === undefined)
    return notWritten(
      "f2-catalogue-and-auth",
      spec.spec.servers.some(({ template }) => template !== undefined)
        ? "The API description names a server for each customer, and none for all, so a catalog could not say which API it lists."
        : "The API description names no server with an absolute https URL, so a catalog could not say which API it lists.",
      [spec.url]
    )
  const type = specType(spec)
  const linkset = {
    linkset: [
      {
        anchor: server.url,
        "service-desc": [{ href: spec.url, ...(type === "" ? {} : { type }) }],
        "service-doc": [{ href: site.base.url, type: "text/html" }]
      }
    ]
  }
  const url = below(site.base.origin, ".well-known/api-catalog")
  return URL.canParse(server.url)
    ? onlyFile({
        path: ".well-known/api-catalog",
        url,
        plugins: ["f2-catalogue-and-auth"],
        text: `${JSON.stringify(linkset, null, 2)}\n`,
        completes: null
      })
    : NOTHING
}
