import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count } from "../../engine/criterion/Fact.ts"
import { pathShown } from "../../engine/criterion/Wording.ts"
import { below } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, isAnswer, isOk, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/Text.ts"
import { type Canary, countsAsAbsent } from "../../engine/site/Canary.ts"
import { readMarkdown } from "../../engine/site/MarkdownReader.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject, type JsonObject, objectsAt, parseObject, stringAt } from "./JsonDocument.ts"

/** What may stand at a place, and what is wrong with it; `null` where nothing is. */
type Check = (answer: Answer, site: Site, canary: Canary, least: number) => Effect.Effect<string | null>

/** Files of a skills index that are looked at. */
const LISTED = 2

/** F3: has the site instructions or skills that an agent can follow? */
export const f3Instructions = define({
  id: "f3-instructions",
  revision: 1,
  params: Schema.Struct({ min_characters: Schema.Int }),
  facts: {
    documents: count("documents for agents that are there: skills index, skill.md, AGENTS.md, agent card"),
    valid: count("of those, documents that keep to their schema, and whose files on the site are there and long enough")
  },
  measure: Effect.fn("f3-instructions")(function*(site, params) {
    const canary = yield* site.canary
    const folders = site.base.prefix === "/" ? [site.base.origin] : [site.base.origin, site.base.folder]
    const places = folders.flatMap((folder) => KINDS.map((kind) => ({ ...kind, url: below(folder, kind.path) })))
    const exchanges = yield* site.getAll(places.map(({ url }) => url))
    const [first] = exchanges
    if (first === undefined || exchanges.every(isUnobtainable)) {
      return yield* new Unobtainable({ message: "None of the places for agents' instructions could be looked at.", exchange: first ?? site.base.exchange })
    }
    const found = yield* Effect.forEach(places, ({ check, expected }, index) => {
      const answer = exchanges[index]
      if (answer === undefined || !isOk(answer) || countsAsAbsent(canary, answer, expected)) return Effect.succeed([])
      return Effect.map(check(answer, site, canary, params.min_characters), (wrong) => [judged(answer, wrong)])
    }).pipe(Effect.map((list) => list.flat()))
    const valid = found.filter(({ good }) => good)
    const summary: Finding = found.length === 0
      ? { good: false, message: `There is no skills index, skill.md, AGENTS.md or agent card at ${exchanges.length} addresses.`, proof: first }
      : (valid[0] ?? found[0] ?? { good: false, message: "", proof: first })
    return { facts: { documents: found.length, valid: valid.length }, findings: [summary, ...found.filter((finding) => finding !== summary)] as const }
  })
})

const judged = (answer: Answer, wrong: string | null): Finding => ({
  good: wrong === null,
  message: wrong === null ? `${pathShown(answer.url)} is there and in order.` : `${pathShown(answer.url)} is there, but ${wrong}.`,
  proof: answer
})

/** Long enough, with a heading, and no web page in disguise. */
const markdownFault = (text: string, least: number): string | null => {
  const document = readMarkdown(text)
  const characters = Array.from(text.trim()).length
  if (characters < least) return `it has ${characters} characters only`
  return document.blocks.some(({ kind }) => kind === "heading") ? null : "it has no heading"
}

const markdownCheck: Check = (answer, _site, _canary, least) => Effect.succeed(markdownFault(textOf(answer).text, least))

/** Agent Skills discovery: each skill has a name, a description and the address of its file, which is fetched. */
const skillsCheck: Check = Effect.fnUntraced(function*(answer, site, canary, least) {
  const skills = objectsAt(parseObject(textOf(answer).text) ?? {}, "skills")
  if (skills === null) return "it is no JSON object with a list of skills"
  const incomplete = skills.filter((skill) => stringAt(skill, "name") === null || stringAt(skill, "description") === null || addressesOf(skill, answer, site).length === 0)
  if (incomplete.length > 0) return `${incomplete.length} of ${skills.length} skills lack a name, a description or an address`
  const addresses = skills.flatMap((skill) => addressesOf(skill, answer, site)).slice(0, LISTED)
  const files = yield* site.getAll(addresses)
  for (const [index, file] of files.entries()) {
    const wrong = fileFault(file, canary, least)
    if (wrong !== null) return `${pathShown(addresses[index] ?? "")} ${wrong}`
  }
  return null
})

const addressesOf = (skill: JsonObject, answer: Answer, site: Site): ReadonlyArray<string> => {
  const listed = Array.isArray(skill["files"]) ? skill["files"].filter((file) => typeof file === "string") : []
  const own = stringAt(skill, "url")
  return [...(own === null ? [] : [own]), ...listed].flatMap((href) => site.resolve(href, answer.url) ?? [])
}

/** A file that could not be had, or lies off the site, is not held against the index. */
const fileFault = (file: Exchange, canary: Canary, least: number): string | null => {
  if (!isAnswer(file) || isUnobtainable(file)) return null
  if (file.status >= 300) return `answers ${file.status}`
  if (countsAsAbsent(canary, file, "text")) return "is not there"
  return /\.mdx?$/i.test(new URL(file.url).pathname) ? markdownFault(textOf(file).text, least) : null
}

/** A2A's agent card: what versions 0.2 to 1.0 of the protocol require alike, and a way to reach the agent. */
const cardCheck: Check = (answer) => {
  const card = parseObject(textOf(answer).text)
  if (card === null) return Effect.succeed("it is no JSON object")
  const missing = ["name", "description", "version"].filter((key) => stringAt(card, key) === null)
  const lists = ["defaultInputModes", "defaultOutputModes"].filter((key) => !Array.isArray(card[key]))
  const skills = objectsAt(card, "skills")?.every((skill) => stringAt(skill, "id") !== null && stringAt(skill, "name") !== null) ?? false
  const reachable = reachesAgent(card)
  const wrong = [
    ...missing, ...lists,
    ...(isJsonObject(card["capabilities"]) ? [] : ["capabilities"]),
    ...(skills ? [] : ["skills"]),
    ...(reachable ? [] : ["url with protocolVersion, or supportedInterfaces"])
  ]
  return Effect.succeed(wrong.length === 0 ? null : `it lacks ${wrong.join(", ")}`)
}

/** 0.3: `url` and `protocolVersion`; 1.0: `supportedInterfaces` with a binding and a version each. */
const reachesAgent = (card: JsonObject): boolean =>
  (stringAt(card, "url") !== null && stringAt(card, "protocolVersion") !== null) ||
  (objectsAt(card, "supportedInterfaces")?.every((one) =>
    stringAt(one, "url") !== null && stringAt(one, "protocolBinding") !== null && stringAt(one, "protocolVersion") !== null) ?? false)

const KINDS: ReadonlyArray<{ readonly path: string; readonly expected: "json" | "markdown"; readonly check: Check }> = [
  { path: ".well-known/agent-skills/index.json", expected: "json", check: skillsCheck },
  { path: "AGENTS.md", expected: "markdown", check: markdownCheck },
  { path: "skill.md", expected: "markdown", check: markdownCheck },
  { path: ".well-known/agent-card.json", expected: "json", check: cardCheck }
]
