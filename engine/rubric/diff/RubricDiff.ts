import { addedCriterion, criterionDifferences, removedCriterion } from "./CriterionDiff.ts"
import { type Difference, major, quoted, type RubricChange, words } from "./RubricChange.ts"
import type { Category, Rubric, Verdict } from "../definition/Rubric.ts"
import type { UnboundRubric } from "../RubricFile.ts"
import { type Bump, bumpBetween, bumped, covers, isBelow, largest } from "../source/VersionBump.ts"

/** Two rubrics held against each other. */
export interface RubricDiff {
  readonly id: string
  /** The id of the older one, which may be another rubric. */
  readonly fromId: string
  readonly from: string
  readonly to: string
  /** In the order of the newer file; what is gone comes last. */
  readonly changes: ReadonlyArray<RubricChange>
  /** The bump that the changes owe together. */
  readonly owed: Bump
  /** The bump that the versions give; `null` where the newer rubric has the older version. */
  readonly given: Bump | null
  /** The least version that would do. */
  readonly least: string
  /** Whether the versions count: not those of two rubrics, nor one that a file inherits from the rubric that it extends. */
  readonly versioned: boolean
  /** What is wrong with the newer rubric's version and its `changes`; one sentence each, none where all is well. */
  readonly faults: ReadonlyArray<string>
}

/**
 * What changed from one rubric to another, and the version bump that this owes: a patch for words; a minor version for
 * what can only raise a score, or earns nothing; a major one for everything else.
 */
export const diffRubrics = (before: UnboundRubric, after: UnboundRubric): RubricDiff => {
  const changes = [
    ...about(null, wholeDifferences(before.rubric, after.rubric)),
    ...after.rubric.categories.flatMap((category) => about(category.id, categoryDifferences(before.rubric, category))),
    ...after.criteria.flatMap((criterion) => {
      const { id } = criterion.definition
      const earlier = before.criteria.find(({ definition }) => definition.id === id)
      return about(id, earlier === undefined ? [addedCriterion(criterion)] : criterionDifferences(earlier, criterion))
    }),
    ...goneCategories(before.rubric, after.rubric),
    ...before.criteria
      .filter(({ definition }) => !after.criteria.some((criterion) => criterion.definition.id === definition.id))
      .flatMap((criterion) => about(criterion.definition.id, [removedCriterion(criterion)]))
  ]
  const [from, to] = [before.rubric.version, after.rubric.version]
  const owed = largest(changes.map(({ owes }) => owes))
  const given = bumpBetween(from, to)
  const least = bumped(from, owed)
  const versioned = before.rubric.id === after.rubric.id && after.base?.id !== after.rubric.id
  const faults = versioned
    ? [...versionFaults(from, to, given, owed, least), ...entryFaults(before.rubric, after.rubric, changes)]
    : []
  return { id: after.rubric.id, fromId: before.rubric.id, from, to, changes, owed, given, least, versioned, faults }
}

const about = (subject: string | null, differences: ReadonlyArray<Difference>): ReadonlyArray<RubricChange> =>
  differences.map((difference) => ({ subject, ...difference }))

const wholeDifferences = (before: Rubric, after: Rubric): ReadonlyArray<Difference> => [
  ...(before.id === after.id
    ? []
    : [major(`id: ${quoted(before.id)} → ${quoted(after.id)}`, "it is a different rubric")]),
  ...(before.title === after.title ? [] : [words("title changed")]),
  ...verdictDifferences(before.verdicts, after.verdicts),
  ...orderDifferences(before, after),
  ...(before.id === after.id ? historyDifferences(before, after) : [])
]

const verdictDifferences = (
  before: ReadonlyArray<Verdict>,
  after: ReadonlyArray<Verdict>
): ReadonlyArray<Difference> => {
  const bounds = (verdicts: ReadonlyArray<Verdict>) => verdicts.map(({ from }) => from).join(", ")
  if (bounds(before) !== bounds(after)) {
    return [
      major(`verdicts begin at ${bounds(before)} → ${bounds(after)}`, "the same score may get a different verdict")
    ]
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [words("wording of the verdicts changed")]
}

/** The order of what both have: reports list criteria in the rubric's. */
const orderDifferences = (before: Rubric, after: Rubric): ReadonlyArray<Difference> => {
  const ids = ({ categories }: Rubric) => categories.flatMap(({ criteria }) => criteria.map(({ id }) => id))
  const [earlier, later] = [ids(before), ids(after)]
  const common = (list: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
    list.filter((id) => other.includes(id)).join(" ")
  if (common(earlier, later) === common(later, earlier)) return []
  return [major("order of the criteria changed", "reports list them in that order")]
}

const historyDifferences = (before: Rubric, after: Rubric): ReadonlyArray<Difference> => {
  const rewritten = before.changes.filter(
    (entry) => !after.changes.some((other) => JSON.stringify(other) === JSON.stringify(entry))
  )
  return rewritten.map(({ version }) => words(`the entry for ${version} under ${quoted("changes")} changed`))
}

const categoryDifferences = ({ categories }: Rubric, after: Category): ReadonlyArray<Difference> => {
  const before = categories.find(({ id }) => id === after.id)
  if (before === undefined) return [major(`new category ${after.id}`, "its points come from others")]
  const texts = (["title", "why"] as const).filter((name) => before[name] !== after[name])
  return [
    ...(before.key === after.key
      ? []
      : [major(`key: ${quoted(before.key)} → ${quoted(after.key)}`, "readers of reports look for the old one")]),
    ...(before.points === after.points
      ? []
      : [major(`points: ${before.points} → ${after.points}`, "the weight of its criteria changes")]),
    ...(texts.length === 0 ? [] : [words(`${texts.map(quoted).join(", ")} changed`)])
  ]
}

const goneCategories = (before: Rubric, after: Rubric): ReadonlyArray<RubricChange> =>
  before.categories
    .filter(({ id }) => !after.categories.some((category) => category.id === id))
    .flatMap(({ id, points }) =>
      about(id, [major(`removed category with ${points} points`, "sites lose what it earned them")])
    )

const versionFaults = (
  from: string,
  to: string,
  given: Bump | null,
  owed: Bump,
  least: string
): ReadonlyArray<string> => {
  if (given === null) return [`version ${to} is older than ${from}; it must be ${least} or later`]
  return covers(given, owed) ? [] : [`the changes require a ${owed} version: ${to} must be ${least} or later`]
}

/** The history must tell of this version, and name every criterion of it that changed since the other one. */
const entryFaults = (before: Rubric, after: Rubric, changes: ReadonlyArray<RubricChange>): ReadonlyArray<string> => {
  if (!after.changes.some(({ version }) => version === after.version))
    return [`\`changes\` has no entry for ${after.version}`]
  const named = namedSince(before, after)
  if (named === "all" || after.version === before.version) return []
  const changed = new Set(changes.map(({ subject }) => subject))
  const silent = criterionIds(after).filter((id) => changed.has(id) && !named.includes(id))
  return silent.length === 0
    ? []
    : [`\`changes\` does not name what changed since ${before.version}: ${silent.join(", ")}`]
}

const criterionIds = ({ categories, experimental = [] }: Rubric): ReadonlyArray<string> =>
  [...categories.flatMap(({ criteria }) => criteria), ...experimental].map(({ id }) => id)

/** What the entries after the older version name. */
const namedSince = (before: Rubric, after: Rubric): ReadonlyArray<string> | "all" => {
  const named = after.changes
    .filter(({ version }) => isBelow(before.version, version))
    .flatMap(({ criteria }) => criteria)
  return named.includes("all") ? "all" : named
}
