import type { Conversion } from "../../page/conversion/Conversion.ts"
import type { Page } from "../../page/Page.ts"
import { filePathOf, type GeneratedFile } from "../site/GeneratedFile.ts"
import type { NoVersion } from "../site/MarkdownForms.ts"
import type { ApiDescription, FoundSpec, SecurityScheme } from "../../apispec/ApiSpec.ts"
import { readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import { hasOwnWords } from "../../page/markdown/TextParity.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { publishedSpec } from "./ApiCatalogFile.ts"
import { markdownLine, markdownLink } from "./Links.ts"
import { grouped } from "../../plugin/Wording.ts"

/** The Markdown of a page that has no version of its own, as `convertPage` made it. */
export type MarkdownOf = (page: Page) => Conversion

/** The Markdown version of a page, to be published at `url` (`null`: it has none on this host); a reason where there is none. */
export const pageMarkdown = (conversion: Conversion, url: string | null): GeneratedFile | NoVersion => {
  if (conversion._tag === "NotConverted") return conversion.reason
  const path = url === null ? null : filePathOf(url)
  return url === null || path === null
    ? "no_url"
    : { path, url, plugins: ["b1-markdown-twins", "b3-markdown-faithful"], text: conversion.text, completes: null }
}

const OPERATIONS = "Operations"

/**
 * The Markdown of a page that shows the API description by JavaScript alone (Redoc, Swagger UI): what the description says of the API,
 * its servers, its authentication and each operation, and a link to the rest. Any other page keeps its conversion.
 */
export const withReference = (site: PublishedSite, page: Page, conversion: Conversion): Conversion => {
  const spec = publishedSpec(site)
  if (
    conversion._tag === "Converted" ||
    (conversion.reason !== "no_text" && conversion.reason !== "thin") ||
    spec === null ||
    !shows(site, page, spec)
  )
    return conversion
  const whole = referenceOf(page.title, spec, spec.spec.description.trim())
  // What the description says of itself is Markdown of the site's: it may not swallow what comes after it.
  const text = isSound(page, whole) ? whole : referenceOf(page.title, spec, "")
  return isSound(page, text) ? { _tag: "Converted", text } : conversion
}

/** A viewer of this description, or one that does not tell of which, where there is no other. */
const shows = ({ spec: { candidates } }: PublishedSite, { viewers }: Page, { url }: FoundSpec): boolean => {
  const others = candidates.filter((candidate) => candidate.spec?._tag === "ApiDescription" && candidate.url !== url)
  return viewers.some(
    (viewer) => viewer.url === url || (viewer.url === null && viewer.inline === null && others.length === 0)
  )
}

const isSound = (page: Page, text: string): boolean => {
  const document = readMarkdown(text)
  const [title] = document.blocks
  return (
    title?.kind === "heading" &&
    title.level === 1 &&
    document.unclosedFences === 0 &&
    !document.cut &&
    document.blocks.some((block) => block.kind === "heading" && block.level === 2 && block.text === OPERATIONS) &&
    hasOwnWords(page, document)
  )
}

const referenceOf = (title: string, { spec, url }: FoundSpec, about: string): string =>
  [
    `# ${markdownLine(title === "" ? spec.title : title, 150)}`,
    `${markdownLine(`${spec.title} ${spec.version}`.trim(), 250)}. What is below comes from the ${markdownLink(`${spec.format} ${spec.formatVersion}`.trim(), url)} description, which has the parameters and responses, too.`,
    ...(about === "" ? [] : [about]),
    ...section(
      "Servers",
      spec.servers.map(
        ({ description, template, url: server }) =>
          `- ${markdownLine(template ?? server, 300)}${description === "" ? "" : `: ${markdownLine(description, 200)}`}`
      )
    ),
    ...section("Authentication", spec.security.schemes.map(schemeLine)),
    ...section(OPERATIONS, operationsOf(spec))
  ]
    .join("\n\n")
    .concat("\n")

const section = (heading: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`## ${heading}`, lines.join("\n")]

const operationsOf = ({ operationCount, operations }: ApiDescription): ReadonlyArray<string> => [
  ...operations.map(
    ({ method, path, summary }) =>
      `- ${markdownLine(`${method} ${path}`, 300)}${summary === "" ? "" : `: ${markdownLine(summary, 200)}`}`
  ),
  ...(operationCount > operations.length
    ? [`- ${grouped(operationCount - operations.length)} more are in the description.`]
    : [])
]

/** One line about how requests are authenticated. */
const schemeLine = ({ description, name, parameter, place, scheme, type }: SecurityScheme): string => {
  const how = [type, scheme, place === "" ? "" : `in the ${place} ${parameter}`].filter((word) => word !== "").join(" ")
  return `- ${markdownLine(name, 100)}: ${markdownLine(how, 200)}${description === "" ? "" : `. ${markdownLine(description, 300)}`}`
}
