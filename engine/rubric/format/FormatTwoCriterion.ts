import { nearestName, suggestion } from "../source/NearestName.ts"
import { composed, type Diagnostic, type PlacedText, type SourceText, type Span } from "../source/SourceText.ts"
import {
  headOf,
  isMap,
  itemsUnder,
  leafOf,
  listOf,
  mapOf,
  plainTextAt,
  type YamlEntry,
  type YamlNode
} from "../source/YamlSource.ts"
import { checkOf, CHECKS, type NamedCheck, spelt } from "./NamedConditions.ts"

/** A criterion of format 3 spelt out as format 2. */
export interface FormatTwo {
  readonly node: YamlNode
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Keys of format 3 that are called otherwise in format 2, or mean something else there. */
const RENAMED: ReadonlySet<string> = new Set([
  "plugin",
  "params",
  "checks",
  "points",
  "effort",
  "steps",
  "recipes",
  "read"
])

/**
 * Spells a criterion out: its levels from `points`, its remedy from `effort`, `steps` and `recipes`, conditions over `facts`. Keys that
 * both formats have, and keys that none has, stay as they are.
 *
 * @param titles of what is read, by URL.
 */
export const formatTwoCriterion = (
  three: YamlNode,
  titles: ReadonlyMap<string, string>,
  source: SourceText
): FormatTwo => {
  if (!isMap(three)) return { node: three, diagnostics: [] }
  const checks = checksOf(three, source)
  const points = pointsOf(three, checks.all, source)
  const steps = stepsOf(three, checks.all, source)
  const read = readOf(three, titles)
  const entries = new Map([...three.entries].filter(([key]) => !RENAMED.has(key)))
  for (const [key, entry] of [...pluginOf(three), ...points.entries, ...remedyOf(three, steps.items), ...read.entries])
    entries.set(key, entry)
  return {
    node: mapOf(entries, three.span),
    diagnostics: [...checks.diagnostics, ...points.diagnostics, ...steps.diagnostics, ...read.diagnostics]
  }
}

type Entries = ReadonlyArray<readonly [key: string, entry: YamlEntry]>

const placed = ({ pieces, plain, span }: YamlNode): PlacedText | null =>
  typeof plain === "string" ? { value: plain, span, ...(pieces === undefined ? {} : { pieces }) } : null

/** The plugin's name and revision apart, and its params, which may be left out. */
const pluginOf = (three: YamlNode): Entries => {
  const plugin = three.entries.get("plugin")
  const params = three.entries.get("params")
  const head = headOf(three)
  const pinned = pinnedPlugin(plainTextAt(three, "plugin") ?? "")
  return [
    ...(plugin === undefined || pinned === null
      ? []
      : ([
          ["plugin", { key: plugin.key, node: leafOf(pinned.name, plugin.node.span) }],
          ["revision", { key: plugin.key, node: leafOf(pinned.revision, plugin.node.span) }]
        ] as const)),
    ["params", params ?? { key: head, node: mapOf(new Map(), head) }]
  ]
}

/** `b4-metadata@3` apart: a whole revision as a number, `3.1` as text. `null` where no revision is named. */
export const pinnedPlugin = (plugin: string): { readonly name: string; readonly revision: number | string } | null => {
  const at = plugin.lastIndexOf("@")
  const [name, revision] = [plugin.slice(0, at), plugin.slice(at + 1)]
  if (at < 1 || !/^\d+(?:\.\d+)?$/u.test(revision)) return null
  return { name, revision: revision.includes(".") ? revision : Number(revision) }
}

/** Names that a check cannot have: steps and conditions mean something else by them. */
const RESERVED = ["do", "unless", "facts", CHECKS, "met"]

const CHECK_NAME = /^[a-z][a-z0-9_]*$/u

const checksOf = (three: YamlNode, source: SourceText) => {
  const diagnostics: Array<Diagnostic> = []
  const all: Array<NamedCheck> = []
  for (const [name, { key, node }] of three.entries.get(CHECKS)?.node.entries ?? []) {
    const text = placed(node.entries.get("when")?.node ?? node)
    const counts = node.entries.get("counts")?.node.plain ?? 1
    if (RESERVED.includes(name) || !CHECK_NAME.test(name))
      diagnostics.push({
        rule: "value",
        span: key,
        message: `a check cannot be named "${name}"`,
        hint: `take lower-case letters, digits and "_", and none of ${RESERVED.join(", ")}`
      })
    if (text === null || typeof counts !== "number") continue
    const { check, diagnostics: own } = checkOf(name, text, counts, source)
    all.push(check)
    diagnostics.push(...own)
  }
  return { all, diagnostics }
}

/** A condition as a node: empty where a check in it cannot be read. */
const conditionNode = (node: YamlNode, checks: ReadonlyArray<NamedCheck>, source: SourceText) => {
  const text = placed(node)
  if (text === null) return { node, diagnostics: [] }
  const { diagnostics, pieces } = spelt(text, checks, source)
  return {
    node: pieces === null ? leafOf(null, node.span) : { ...leafOf(composed(pieces), node.span), pieces },
    diagnostics
  }
}

/** The levels, and the points of the highest. */
const pointsOf = (three: YamlNode, checks: ReadonlyArray<NamedCheck>, source: SourceText) => {
  const points = three.entries.get("points")
  const found = [...(points?.node.entries ?? [])]
  const [first] = found
  if (points === undefined || first === undefined) return { entries: [], diagnostics: [] }
  const highest = first[1].key
  const levels = found.map(([name, { key, node }], index) => {
    const when = conditionNode(node, checks, source)
    const level = new Map<string, YamlEntry>([
      ["status", { key, node: leafOf(index === 0 ? "present" : "partial", key) }],
      ["earns", { key, node: leafOf(numberOf(name), key) }],
      ["when", { key, node: when.node }]
    ])
    return { node: mapOf(level, key), diagnostics: [...earningFaults(name, key), ...when.diagnostics] }
  })
  const nothing = new Map<string, YamlEntry>([
    ["status", { key: points.key, node: leafOf("absent", points.key) }],
    ["earns", { key: points.key, node: leafOf(0, points.key) }]
  ])
  const entries: Entries = [
    ["points", { key: points.key, node: leafOf(numberOf(first[0]), highest) }],
    [
      "levels",
      { key: points.key, node: listOf([...levels.map(({ node }) => node), mapOf(nothing, points.key)], points.key) }
    ]
  ]
  return { entries, diagnostics: levels.flatMap(({ diagnostics }) => diagnostics) }
}

const numberOf = (name: string): number | null => (/^\d{1,3}$/u.test(name) ? Number(name) : null)

const earningFaults = (name: string, span: Span): ReadonlyArray<Diagnostic> => {
  const number = numberOf(name)
  return number !== null && number <= 100
    ? []
    : [
        {
          rule: "levels",
          span,
          message: `"${name}" is not a number of points`,
          hint: "write points and their conditions, such as `points: { 2: dated >= 0.8, 1: dated > 0.0 }`"
        }
      ]
}

/** The steps with their conditions: a plain text is done where all points are earned. */
const stepsOf = (three: YamlNode, checks: ReadonlyArray<NamedCheck>, source: SourceText) => {
  const full = three.entries.get("points")?.node.entries.values().next().value?.node
  const found = itemsUnder(three, "steps").map((step) => {
    if (!isMap(step)) return withUnless(step, full ?? null, checks, source)
    const text = step.entries.get("do")
    if (text !== undefined) {
      const rest = [...step.entries].filter(([key]) => key !== "do" && key !== "unless")
      const { diagnostics, item } = withUnless(text.node, step.entries.get("unless")?.node ?? null, checks, source)
      return { item, diagnostics: [...diagnostics, ...rest.map(([name, { key }]) => unknownStepKey(name, key))] }
    }
    return namedStep(step, checks)
  })
  return {
    items: found.map(({ item }) => item),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics)
  }
}

const unknownStepKey = (name: string, span: Span): Diagnostic => ({
  rule: "unknown_key",
  span,
  message: `unknown key "${name}"`,
  hint: suggestion(name, ["do", "unless"], "the keys are")
})

/** A text alone is always advised; with a condition it is done where that holds. */
const withUnless = (text: YamlNode, unless: YamlNode | null, checks: ReadonlyArray<NamedCheck>, source: SourceText) => {
  if (unless === null) return { item: text, diagnostics: [] }
  const condition = conditionNode(unless, checks, source)
  return { item: stepNode(text, condition.node), diagnostics: condition.diagnostics }
}

const stepNode = (text: YamlNode, unless: YamlNode): YamlNode =>
  unless.plain === null
    ? text
    : mapOf(
        new Map([
          ["do", { key: text.span, node: text }],
          ["unless", { key: unless.span, node: unless }]
        ]),
        text.span
      )

/** `check: text`, or `fact: text`. */
const namedStep = (step: YamlNode, checks: ReadonlyArray<NamedCheck>) => {
  const [named, more] = step.entries
  const names = checks.map(({ name }) => name)
  const fault = (span: Span, message: string, hint: string | null): Diagnostic => ({
    rule: "value",
    span,
    message,
    hint
  })
  if (named === undefined) return { item: step, diagnostics: [] }
  const [name, { key, node }] = named
  if (more !== undefined || name === "unless")
    return {
      item: leafOf("", step.span),
      diagnostics: [
        fault(key, "a step is a text, a text under the name of a check, or `do` with `unless`", "write one step a dash")
      ]
    }
  const check = checks.find((each) => each.name === name)
  if (check !== undefined)
    return {
      item:
        check.pieces === null ? node : stepNode(node, { ...leafOf(composed(check.pieces), key), pieces: check.pieces }),
      diagnostics: []
    }
  const near = nearestName(name, [...names, "do"])
  if (near !== null)
    return { item: node, diagnostics: [fault(key, `there is no check "${name}"`, `did you mean "${near}"?`)] }
  // A name that is no check's is a fact's, which the plugin knows.
  return { item: stepNode(node, leafOf(`facts.${name}`, key)), diagnostics: [] }
}

const remedyOf = (three: YamlNode, steps: ReadonlyArray<YamlNode>): Entries => {
  const head = headOf(three)
  const { effort, recipes, steps: own } = Object.fromEntries(three.entries)
  const remedy = new Map<string, YamlEntry>([
    ...(effort === undefined ? [] : ([["effort", effort]] as const)),
    ...(own === undefined ? [] : ([["steps", { key: own.key, node: listOf(steps, own.node.span) }]] as const)),
    ...(recipes === undefined ? [] : ([["recipes", recipes]] as const))
  ])
  const key = own?.key ?? effort?.key ?? head
  return [["remedy", { key, node: mapOf(remedy, key) }]]
}

/** A URL alone has the title that is given for it elsewhere, or its number if it is an RFC's. */
const readOf = (three: YamlNode, titles: ReadonlyMap<string, string>) => {
  const read = three.entries.get("read")
  if (read === undefined) return { entries: [], diagnostics: [] }
  const diagnostics: Array<Diagnostic> = []
  // Where a title's own URL is wrong, that is the mistake.
  const isCertain = [...titles.keys()].every((url) => url.startsWith("https://"))
  const items = read.node.items.map((item) => {
    if (typeof item.plain !== "string") return item
    const title = titles.get(item.plain) ?? rfcTitle(item.plain)
    if (title === null && isCertain)
      diagnostics.push({
        rule: "value",
        span: item.span,
        message: "no title is given for this URL",
        hint: "write `{ title: …, url: … }` once; further mentions may be the URL alone"
      })
    return mapOf(
      new Map([
        ["title", { key: item.span, node: leafOf(title ?? item.plain, item.span) }],
        ["url", { key: item.span, node: item }]
      ]),
      item.span
    )
  })
  const entries: Entries = [["references", { key: read.key, node: listOf(items, read.node.span) }]]
  return { entries, diagnostics }
}

const RFC = /^https:\/\/www\.rfc-editor\.org\/rfc\/rfc(\d{1,5})(?:#section-([\d.]{1,20}))?$/

/** `RFC 9110, section 12` of the URL of an RFC or of a section of one; `null`: it is another URL. */
export const rfcTitle = (url: string): string | null => {
  const [, rfc, section] = RFC.exec(url) ?? []
  if (rfc === undefined) return null
  return section === undefined ? `RFC ${rfc}` : `RFC ${rfc}, section ${section}`
}
