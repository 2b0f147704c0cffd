import type { ASTNode } from "@marcbachmann/cel-js"
import * as Result from "effect/Result"
import { parseCondition } from "../condition/Condition.ts"
import { factRead } from "../condition/ConditionTree.ts"
import type { CriterionDefinition, Step } from "../definition/Rubric.ts"
import { sourceText, type Span } from "../source/SourceText.ts"
import { leafOf, listOf, mapOf, type YamlNode } from "../source/YamlSource.ts"
import {
  balanced,
  checkOf,
  CHECKS,
  nodeText,
  type PlacedNode,
  placedParts,
  rootOf,
  spelling,
  spelt
} from "./NamedConditions.ts"

/**
 * A criterion as format 3 writes it: what its levels count becomes its checks, a step that is done where one of them or a true-or-false fact holds has its
 * name, and one that is done where all points are earned is a plain text.
 */
export const formatThreeCriterion = (definition: CriterionDefinition): WrittenMap => {
  const { levels, params, plugin, references, remedy, revision } = definition
  const when = levels.flatMap((level) => level.when ?? [])
  const unless = remedy.steps.flatMap((step) => (typeof step === "string" ? [] : (step.unless ?? [])))
  const common = faithfulChecks(when, unless)
  const checks = common.checks.map(({ counts, name, text }) => {
    const condition = shortened(text, NO_CHECKS)
    return [
      name,
      counts === 1
        ? condition
        : writtenMap([
            ["counts", counts],
            ["when", condition]
          ])
    ] as const
  })
  const points = levels.flatMap(({ earns, when }) =>
    when === undefined ? [] : [[String(earns), shortened(when, common)] as const]
  )
  return writtenMap([
    ["id", definition.id],
    ["title", definition.title],
    ["plugin", `${plugin}@${revision}`],
    ["needs", definition.needs],
    ["applies", definition.applies],
    ["params", Object.keys(params).length === 0 ? undefined : params],
    ["checks", checks.length === 0 ? undefined : writtenMap(checks)],
    ["points", writtenMap(points)],
    ["why", definition.why],
    ["how", definition.how],
    ["effort", remedy.effort],
    ["steps", remedy.steps.map((step) => stepOf(step, when[0], common))],
    ["recipes", remedy.recipes],
    ["read", references],
    ["evidence", definition.evidence],
    ["deprecated", definition.deprecated]
  ])
}

const faithfulChecks = (when: ReadonlyArray<string>, unless: ReadonlyArray<string>): CommonChecks => {
  const common = commonChecks(when, unless)
  return isFaithful([...when, ...unless], common) ? common : NO_CHECKS
}

const stepOf = (step: Step, full: string | undefined, common: CommonChecks): WrittenValue => {
  if (typeof step === "string") return writtenMap([["do", step]])
  const { do: text, unless } = step
  if (unless === undefined) return writtenMap([["do", text]])
  if (unless === full) return text
  const check = common.checks.find((each) => each.text === unless)
  const flag = /^facts\.([a-z]\w*)$/u.exec(unless)?.[1]
  if (check === undefined && flag !== undefined && !common.checks.some(({ name }) => name === flag))
    return writtenMap([[flag, text]])
  return check === undefined
    ? writtenMap([
        ["do", text],
        ["unless", shortened(unless, common)]
      ])
    : writtenMap([[check.name, text]])
}

/** A check that conditions of format 2 have in common: an element of the list that they count. */
interface CommonCheck {
  readonly name: string
  /** Over `facts`. */
  readonly text: string
  readonly counts: number
}

/** What the conditions of a criterion count. */
interface CommonChecks {
  readonly checks: ReadonlyArray<CommonCheck>
  /** How format 2 counts them; `null` where there are none. */
  readonly number: string | null
}

const NO_CHECKS: CommonChecks = { checks: [], number: null }

/**
 * The list of conditions that the levels of a criterion count, each with a name: that of the first fact it reads.
 *
 * @param others the other conditions of the criterion, whose facts must not be mistaken for checks.
 */
const commonChecks = (levels: ReadonlyArray<string>, others: ReadonlyArray<string>): CommonChecks => {
  const counted = trees(levels).flatMap((tree) => countedIn(rootOf(tree)))
  const first = counted.toSorted((one, other) => timesIn(other.number, counted) - timesIn(one.number, counted))[0]
  if (first === undefined) return NO_CHECKS
  const flags = new Set(trees([...levels, ...others]).flatMap((tree) => flagsIn(rootOf(tree))))
  const taken = new Set<string>()
  const checks = first.elements.map(({ counts, node }) => {
    const name = freeName(node, flags, taken)
    taken.add(name)
    return { name, text: nodeText(node), counts }
  })
  return { checks, number: first.number }
}

const trees = (conditions: ReadonlyArray<string>): ReadonlyArray<ASTNode> =>
  conditions.flatMap((text) => Result.match(parseCondition(text), { onFailure: () => [], onSuccess: (tree) => [tree] }))

interface Counted {
  readonly number: string
  readonly elements: ReadonlyArray<{ readonly node: ASTNode; readonly counts: number }>
}

const timesIn = (number: string, all: ReadonlyArray<Counted>): number =>
  all.filter((each) => each.number === number).length

const countedIn = (placed: PlacedNode): ReadonlyArray<Counted> => {
  const elements = elementsOf(placed.node)
  return elements === null ? placedParts(placed).flatMap(countedIn) : [{ number: nodeText(placed.node), elements }]
}

/** `[…].filter(met, met).size()`, with `(condition ? 2 : 0)` added or not. */
const elementsOf = (node: ASTNode): Counted["elements"] | null => {
  if (node.op === "+") {
    const [sum, term] = node.args
    const before = elementsOf(sum)
    if (before === null || term.op !== "?:") return null
    const [test, then, otherwise] = term.args
    const counts = then.op === "value" ? Number(then.args) : 0
    return counts >= 2 && otherwise.op === "value" && Number(otherwise.args) === 0
      ? [...before, { node: test, counts }]
      : null
  }
  const filtered = node.op === "rcall" && node.args[0] === "size" ? node.args[1] : null
  if (filtered?.op !== "rcall" || filtered.args[0] !== "filter") return null
  const [, list, [variable, test]] = filtered.args
  const isMet = variable?.op === "id" && variable.args === "met" && test?.op === "id" && test.args === "met"
  return isMet && list.op === "list" ? list.args.map((element) => ({ node: element, counts: 1 })) : null
}

/** The facts that stand where true or false is wanted. */
const flagsIn = (placed: PlacedNode): ReadonlyArray<string> => {
  const name = factRead(placed.node)
  if (name !== null) return placed.isTruth ? [name] : []
  return placedParts(placed).flatMap(flagsIn)
}

const factsIn = (node: ASTNode): ReadonlyArray<string> => {
  const name = factRead(node)
  return name === null ? placedParts(rootOf(node)).flatMap((part) => factsIn(part.node)) : [name]
}

const freeName = (node: ASTNode, flags: ReadonlySet<string>, taken: ReadonlySet<string>): string => {
  const facts = factsIn(node)
  const own = factRead(node)
  const free = facts.find((name) => !taken.has(name) && (own === name || !flags.has(name)))
  if (free !== undefined) return free
  const [stem = "check"] = facts
  let number = 2
  while (taken.has(`${stem}_${number}`) || flags.has(`${stem}_${number}`)) number += 1
  return `${stem}_${number}`
}

/** A condition of format 2 as format 3 writes it: facts by their names, what is counted and checked by the names of the checks. */
const shortened = (text: string, common: CommonChecks): string => {
  const parsed = parseCondition(text)
  if (Result.isFailure(parsed)) return text
  const named = replaced(text, rootOf(parsed.success), common)
  // A name that is a check's here and a fact's there would be hard to read.
  const confusing = named.names.some((name) => named.facts.includes(name))
  return (confusing ? replaced(text, rootOf(parsed.success), { ...common, checks: [] }) : named).text
}

interface Replaced {
  readonly text: string
  /** Checks that are named. */
  readonly names: ReadonlyArray<string>
  /** Facts that are read. */
  readonly facts: ReadonlyArray<string>
}

interface Replacement {
  readonly stretch: readonly [start: number, end: number]
  readonly by: string
  readonly kind: "number" | "check" | "fact"
}

const replaced = (text: string, root: PlacedNode, common: CommonChecks): Replaced => {
  const found = replacementsIn(root, common).toSorted((one, other) => one.stretch[0] - other.stretch[0])
  let from = 0
  let short = ""
  for (const { by, stretch } of found) {
    short += text.slice(from, stretch[0]) + by
    from = stretch[1]
  }
  return {
    text: (short + text.slice(from)).replace(/\s+/gu, " ").trim(),
    names: found.filter(({ kind }) => kind === "check").map(({ by }) => by),
    facts: found.filter(({ kind }) => kind === "fact").map(({ by }) => by)
  }
}

const replacementsIn = (placed: PlacedNode, common: CommonChecks): ReadonlyArray<Replacement> => {
  const { isTruth, node } = placed
  const stretch = balanced(node.input, node.start, node.end)
  const said = node.input.slice(...stretch)
  if (said === common.number) return [{ stretch, by: CHECKS, kind: "number" }]
  const check = isTruth ? common.checks.find(({ text }) => text === said) : undefined
  if (check !== undefined) return [{ stretch, by: check.name, kind: "check" }]
  if (node.op === "&&") return conjunctionReplacements(conjuncts(placed), common)
  const fact = factRead(node)
  if (fact !== null) return [{ stretch: [node.start, node.end], by: fact, kind: "fact" }]
  return placedParts(placed).flatMap((part) => replacementsIn(part, common))
}

/** `a && b && c`, which the parser has as pairs. */
const conjuncts = (placed: PlacedNode): ReadonlyArray<PlacedNode> =>
  placed.node.op === "&&" ? placedParts(placed).flatMap(conjuncts) : [placed]

/** Parts of a conjunction, some of which may together be one check. */
const conjunctionReplacements = (
  parts: ReadonlyArray<PlacedNode>,
  common: CommonChecks
): ReadonlyArray<Replacement> => {
  const [first, ...rest] = parts
  if (first === undefined) return []
  const from = balanced(first.node.input, first.node.start, first.node.end)[0]
  for (const [index, { node }] of [...parts.entries()].slice(1).toReversed()) {
    const to = balanced(node.input, node.start, node.end)[1]
    const check = common.checks.find(({ text }) => text === node.input.slice(from, to))
    if (check !== undefined)
      return [
        { stretch: [from, to], by: check.name, kind: "check" },
        ...conjunctionReplacements(parts.slice(index + 1), common)
      ]
  }
  return [...replacementsIn(first, common), ...conjunctionReplacements(rest, common)]
}

/** Whether conditions, written short, mean what they meant. */
const isFaithful = (conditions: ReadonlyArray<string>, common: CommonChecks): boolean => {
  const nowhere = sourceText("", "")
  const placed = (value: string) => ({ value, span: { start: 0, end: 0 } })
  const checks = common.checks.map(
    ({ counts, name, text }) => checkOf(name, placed(shortened(text, NO_CHECKS)), counts, nowhere).check
  )
  return conditions.every(
    (text) => spelling(spelt(placed(shortened(text, common)), checks, nowhere)) === text.replace(/\s+/gu, " ").trim()
  )
}

/** A value as YAML has it; maps keep the order of their keys, numbers among them. */
export type WrittenValue = string | number | boolean | null | WrittenList | WrittenMap
type WrittenList = ReadonlyArray<WrittenValue>
export interface WrittenMap extends ReadonlyMap<string, WrittenValue> {}

export const isWrittenMap = (value: WrittenValue): value is WrittenMap => value instanceof Map

/** JSON, or maps and lists of it, as YAML has them. */
const writtenOf = (value: unknown): WrittenValue => {
  if (value instanceof Map) return writtenMap(value)
  if (Array.isArray(value)) return value.map(writtenOf)
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return typeof value === "object" && value !== null ? writtenMap(Object.entries(value)) : null
}

/** Those of some entries that have a value. */
export const writtenMap = (entries: Iterable<readonly [key: string, value: unknown]>): WrittenMap =>
  new Map([...entries].flatMap(([key, value]) => (value === undefined ? [] : [[key, writtenOf(value)] as const])))

/** A part of a file as it is written there. */
export const writtenNode = ({ entries, items, plain }: YamlNode): WrittenValue => {
  if (Array.isArray(plain)) return items.map(writtenNode)
  return typeof plain === "object" && plain !== null
    ? new Map([...entries].map(([key, { node }]) => [key, writtenNode(node)]))
    : writtenOf(plain)
}

/** As a part of a file, all of it at one place. */
export const nodeOf = (written: WrittenValue, span: Span): YamlNode => {
  if (isWrittenMap(written))
    return mapOf(new Map([...written].map(([key, value]) => [key, { key: span, node: nodeOf(value, span) }])), span)
  return typeof written === "object" && written !== null
    ? listOf(
        written.map((item) => nodeOf(item, span)),
        span
      )
    : leafOf(written, span)
}
