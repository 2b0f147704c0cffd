import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count } from "../../engine/plugin/Fact.ts"
import { counted, either, pathShown } from "../../engine/plugin/Wording.ts"
import { below, onSite } from "../../engine/evidence/Address.ts"
import { type Answer, cutShort, type Exchange, isAnswer, isMissing, isOk } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"
import {
  countsAsAbsent,
  isMissingFile,
  isWithheld,
  type NotFoundProbe
} from "../../engine/site/wellknown/FileVerdict.ts"
import { installLines } from "../../engine/page/code/InstallLine.ts"
import { readMarkdown } from "../../engine/page/markdown/MarkdownReader.ts"
import { isNamedAfter, productNamesOf } from "../../engine/site/topics/ProductName.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonText.ts"
import { filledObjectsAt, filledStringAt, parseObject } from "./WellKnownJson.ts"
import { isMarkdownUrl } from "../../engine/text/UrlPath.ts"

/** What is wrong with the document that was found; `null` if nothing is, or an exchange if that depends on a missing response or on what is behind the part that is read. */
type Check = (
  answer: Answer,
  site: Site,
  notFoundProbe: NotFoundProbe,
  limits: CheckLimits
) => Effect.Effect<string | Exchange | null>

interface CheckLimits {
  /** Minimum length of a document, in characters. */
  readonly least: number
  /** Maximum number of files of one skills index to check. */
  readonly files: number
}

/** Maximum number of files to check of all skills indexes together: two of one, or one of each of two. */
const LISTED = 2

/** F3: the site has instructions or skills for agents. */
export const f3Instructions = define({
  id: "f3-instructions",
  revision: 3,
  // Four documents, at the origin and in the folder (8), and the files of skills (2).
  budget: { requests: 8 + LISTED, megabytes: 1 },
  params: Schema.Struct({ min_characters: Schema.Int }),
  facts: {
    documents: count("documents for agents on the site: skills index, skill.md, AGENTS.md, agent card"),
    valid: count(
      "of those, documents that follow their schema, are long enough, are not for contributors alone, and whose listed files on the site exist"
    )
  },
  measure: Effect.fn("f3-instructions")(function* (site, params) {
    const notFoundProbe = yield* site.notFoundProbe
    const folders = site.base.prefix === "/" ? [site.base.origin] : [site.base.origin, site.base.folder]
    const places = folders.flatMap((folder) => KINDS.map((kind) => ({ ...kind, url: below(folder, kind.path) })))
    const exchanges = yield* site.getAll(places.map(({ url }) => url))
    const [first] = exchanges
    if (first === undefined || exchanges.every((exchange) => isWithheld(notFoundProbe, exchange))) {
      return yield* new Unobtainable({
        message: "We could not fetch any of the URLs for instructions to agents.",
        exchange: first ?? site.base.exchange
      })
    }
    const there = places.flatMap(({ check, expected }, index) => {
      const answer = exchanges[index]
      return answer !== undefined && isOk(answer) && !countsAsAbsent(notFoundProbe, answer, expected)
        ? [{ answer, check }]
        : []
    })
    const indexes = there.filter(({ check }) => check === skillsCheck).length
    const limits = { least: params.min_characters, files: Math.floor(LISTED / Math.max(1, indexes)) }
    const found = yield* Effect.forEach(there, ({ answer, check }) =>
      Effect.map(check(answer, site, notFoundProbe, limits), (wrong) => judged(answer, wrong))
    )
    const valid = found.filter(({ good }) => good)
    const missing = exchanges.filter((exchange) => isMissingFile(notFoundProbe, exchange))
    const unlisted = found.flatMap(({ good, missing }) => (good ? (missing ?? []) : []))
    const unread = found.flatMap(({ good, missing }) => (good ? [] : (missing ?? [])))
    const summary: Finding =
      found.length === 0
        ? {
            good: false,
            message: `There is no ${either(KINDS.map(({ path }) => `/${path}`))}${folders.length > 1 ? `, nor any of these below ${pathShown(site.base.folder)}` : ""}.`,
            proof: first
          }
        : (valid[0] ?? found[0] ?? { good: false, message: "", proof: first })
    return {
      facts: { documents: found.length, valid: valid.length },
      uncertain: {
        documents: between(found.length, found.length + missing.length),
        valid: between(valid.length - unlisted.length, valid.length + unread.length + missing.length)
      },
      unanswered: [...missing, ...unlisted, ...unread],
      filesCut: unread.length,
      findings: [summary, ...found.filter((finding) => finding !== summary)] as const
    }
  })
})

interface Judged extends Finding {
  /** Where it is good, the missing response that could show a fault in it; else the answer that could show none if it were read to its end. */
  readonly missing: Exchange | null
}

const judged = (answer: Answer, wrong: string | Exchange | null): Judged => {
  const path = pathShown(answer.url)
  if (typeof wrong === "string")
    return { good: false, message: `${path} exists, but ${wrong}.`, proof: answer, missing: null }
  return wrong !== null && isCut(wrong)
    ? {
        good: false,
        message: `${path} exists, but what we read of ${wrong.url === answer.url ? "it" : pathShown(wrong.url)} has no heading.`,
        proof: answer,
        missing: wrong
      }
    : { good: true, message: `${path} is valid.`, proof: answer, missing: wrong }
}

/** Long enough, and with a heading. */
const markdownFault = (answer: Answer, least: number): string | Answer | null => {
  const { text } = textOf(answer)
  const document = readMarkdown(text)
  const characters = Array.from(text.trim()).length
  if (characters < least) return `it has only ${counted(characters, "character")}`
  if (document.blocks.some(({ kind }) => kind === "heading")) return null
  return document.cut ? cutShort(answer) : "it has no heading"
}

const isCut = (exchange: Exchange): boolean => isAnswer(exchange) && exchange.cut && !isMissing(exchange)

const markdownCheck: Check = Effect.fnUntraced(function* (answer, site, _probe, { least }) {
  const fault = markdownFault(answer, least)
  if (fault !== null) return fault
  const text = textOf(answer).text.slice(0, INSTRUCTIONS_CHARACTERS)
  return CONTRIBUTING.test(text) && !(yield* saysHowToUse(text, site))
    ? "it says how to work on its own source, and names no server, install line or API description of the product"
    : null
})

/** How far a document is read for what it is about. */
const INSTRUCTIONS_CHARACTERS = 100_000

/** What people do who change the documentation or the program, not those who use it. */
const CONTRIBUTING =
  /\b(?:pull requests?|merge requests?|git (?:add|checkout|commit|push|rebase)|commit messages?|conventional commits|pre-commit|front ?matter|this repo(?:sitory)?|the repo(?:sitory)? root|code ?base|monorepo|(?:npm|pnpm|yarn|bun) (?:run )?(?:build|dev|lint|start|test)|mkdocs (?:build|serve)|hugo (?:build|server)|make (?:build|docs|html|lint|test)|jekyll (?:build|serve)|mint(?:lify)? dev|docusaurus (?:build|start)|sphinx-build|cargo (?:build|test)|go (?:build|test)|pytest)\b/i
const DESCRIPTION =
  /(?:https?:\/\/|(?<![\w./-])\/)[^\s"'`()<>]{0,300}(?:openapi|swagger|asyncapi|postman)[^\s"'`()<>]{0,100}\.(?:json|ya?ml)\b/i
const URLS = /https?:\/\/[^\s"'`()<>]{1,500}/g
const SERVER = /^https?:\/\/(?:api|mcp|graphql|gateway|rest)[.-]|\/(?:api|mcp|graphql|v\d+)(?:[/?]|$)/i

/** Installs the product, links to its API description, or names one of its servers. */
const saysHowToUse = Effect.fnUntraced(function* (text: string, site: Site): Effect.fn.Return<boolean> {
  const names = yield* productNamesOf(site)
  const { best } = yield* site.spec
  const servers = (best?.spec.servers ?? []).map(({ url }) => url)
  const isServer = (url: string): boolean =>
    servers.some((server) => server.startsWith("http") && url.startsWith(server)) ||
    (onSite(url, site.base.site) && SERVER.test(url))
  return (
    DESCRIPTION.test(text) ||
    installLines(text).some((line) => isNamedAfter(names, line.package)) ||
    (text.match(URLS) ?? []).some(isServer)
  )
})

/** Agent Skills discovery: each skill has a name, a description and the URL of its file, which is fetched. */
const skillsCheck: Check = Effect.fnUntraced(function* (answer, site, notFoundProbe, { files: most, least }) {
  const skills = filledObjectsAt(parseObject(textOf(answer).text) ?? {}, "skills")
  if (skills === null) return "it is not a JSON object with a list of skills"
  const incomplete = skills.filter(
    (skill) =>
      filledStringAt(skill, "name") === null ||
      filledStringAt(skill, "description") === null ||
      urlsOf(skill, answer, site).length === 0
  )
  if (incomplete.length > 0)
    return `${skills.length === 1 ? "its only skill" : `${incomplete.length} of its ${counted(skills.length, "skill")}`} ${incomplete.length === 1 ? "lacks" : "lack"} a name, a description or a URL`
  const urls = skills.flatMap((skill) => urlsOf(skill, answer, site)).slice(0, most)
  const files = yield* site.getAll(urls)
  const faults = files.map((file) => fileFault(file, notFoundProbe, least))
  for (const [index, wrong] of faults.entries()) {
    if (typeof wrong === "string") return `${pathShown(urls[index] ?? "")} ${wrong}`
  }
  return faults.find((fault) => fault !== null) ?? files.find(isMissing) ?? null
})

const urlsOf = (skill: JsonObject, answer: Answer, site: Site): ReadonlyArray<string> => {
  const listed = Array.isArray(skill["files"]) ? skill["files"].filter((file) => typeof file === "string") : []
  const own = filledStringAt(skill, "url")
  return [...(own === null ? [] : [own]), ...listed].flatMap((href) => site.resolve(href, answer.url) ?? [])
}

/** A file that we could not fetch, or that is on another site, does not make the index invalid. */
const fileFault = (file: Exchange, notFoundProbe: NotFoundProbe, least: number): string | Answer | null => {
  if (!isAnswer(file) || isWithheld(notFoundProbe, file)) return null
  if (file.status >= 300) return `returns ${file.status}`
  if (countsAsAbsent(notFoundProbe, file, "text")) return "is missing"
  return isMarkdownUrl(file.url) ? markdownFault(file, least) : null
}

/** A2A agent card: the members that versions 0.2 to 1.0 of the protocol all require, and a way to reach the agent. */
const cardCheck: Check = (answer) => {
  const card = parseObject(textOf(answer).text)
  if (card === null) return Effect.succeed("it is not a JSON object")
  const missing = ["name", "description", "version"].filter((key) => filledStringAt(card, key) === null)
  const lists = ["defaultInputModes", "defaultOutputModes"].filter((key) => !Array.isArray(card[key]))
  const skills =
    filledObjectsAt(card, "skills")?.every(
      (skill) => filledStringAt(skill, "id") !== null && filledStringAt(skill, "name") !== null
    ) ?? false
  const reachable = reachesAgent(card)
  const wrong = [
    ...missing,
    ...lists,
    ...(isJsonObject(card["capabilities"]) ? [] : ["capabilities"]),
    ...(skills ? [] : ["skills"]),
    ...(reachable ? [] : ["url with protocolVersion, or supportedInterfaces"])
  ]
  return Effect.succeed(wrong.length === 0 ? null : `it lacks ${wrong.join(", ")}`)
}

/** 0.3: `url` and `protocolVersion`; 1.0: `supportedInterfaces`, each with a binding and a version. */
const reachesAgent = (card: JsonObject): boolean =>
  (filledStringAt(card, "url") !== null && filledStringAt(card, "protocolVersion") !== null) ||
  (filledObjectsAt(card, "supportedInterfaces")?.every(
    (one) =>
      filledStringAt(one, "url") !== null &&
      filledStringAt(one, "protocolBinding") !== null &&
      filledStringAt(one, "protocolVersion") !== null
  ) ??
    false)

const KINDS: ReadonlyArray<{ readonly path: string; readonly expected: "json" | "markdown"; readonly check: Check }> = [
  { path: ".well-known/agent-skills/index.json", expected: "json", check: skillsCheck },
  { path: "AGENTS.md", expected: "markdown", check: markdownCheck },
  { path: "skill.md", expected: "markdown", check: markdownCheck },
  { path: ".well-known/agent-card.json", expected: "json", check: cardCheck }
]
