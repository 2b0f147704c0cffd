import * as Result from "effect/Result"
import type { UnboundRubric } from "../../engine/rubric/RubricFile.ts"

/** The new criterion, as given on the command line. */
interface NamesWanted {
  /** `A6`, `a6-glossary` or `glossary`. */
  readonly id: string
  /** A category's letter. */
  readonly category: string
  readonly title: string
}

/** The names of a new criterion, one for each place where it is named. */
export interface CriterionNames {
  /** In the rubric and in reports: `A6`. */
  readonly criterion: string
  /** The plugin's id and file: `a6-glossary`. */
  readonly plugin: string
  /** The plugin's export: `a6Glossary`. */
  readonly exported: string
  readonly category: UnboundRubric["rubric"]["categories"][number]
}

/** Ids that were ever used and existing plugins: neither can be used again. */
interface TakenNames {
  readonly criteria: ReadonlySet<string>
  readonly plugins: ReadonlySet<string>
}

const CRITERION_ID = /^[A-Z][1-9]\d?$/u
const PLUGIN_ID = /^([a-z])([1-9]\d?)-([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/u
const BARE_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u

/** The names of a new criterion, or, in a sentence or two, why it cannot have this name. */
export const criterionNames = (
  wanted: NamesWanted,
  { rubric }: UnboundRubric,
  taken: TakenNames
): Result.Result<CriterionNames, string> => {
  const letters = rubric.categories.map(({ id }) => id)
  const category = rubric.categories.find(
    ({ id, key }) => id === wanted.category.toUpperCase() || key === wanted.category
  )
  if (category === undefined)
    return Result.fail(`there is no category "${wanted.category}"; the categories are ${letters.join(", ")}`)
  const free = freeNumber(category.id, taken)
  const parts = partsOf(wanted, category.id, free)
  if (parts === null)
    return Result.fail(
      `"${wanted.id}" is not a valid name of a criterion. Use an id, such as ${category.id}${free}, or a short name in lower case, such as has-glossary`
    )
  const criterion = `${parts.letter}${parts.number}`
  const plugin = `${criterion.toLowerCase()}-${parts.name}`
  if (parts.letter !== category.id)
    return Result.fail(
      `${criterion} does not belong to category ${category.id}: its criteria are ${category.id}1, ${category.id}2 and so on`
    )
  if (parts.name === "")
    return Result.fail(
      `the title "${wanted.title}" has no word for a file name. Use a name instead of ${wanted.id}, such as has-glossary`
    )
  if (taken.criteria.has(criterion))
    return Result.fail(`${criterion} is taken, and ids are never reused. ${category.id}${free} is free`)
  const same = [...taken.plugins].find((other) => PLUGIN_ID.exec(other)?.[3] === parts.name || other === plugin)
  if (same !== undefined) return Result.fail(`a plugin named ${same} already exists. Use another name`)
  return Result.succeed({ criterion, plugin, exported: camelCase(plugin), category })
}

interface Parts {
  readonly letter: string
  readonly number: number
  readonly name: string
}

const partsOf = ({ id, title }: NamesWanted, letter: string, free: number): Parts | null => {
  const [, ownLetter = "", ownNumber = "", ownName = ""] = PLUGIN_ID.exec(id) ?? []
  if (ownLetter !== "") return { letter: ownLetter.toUpperCase(), number: Number(ownNumber), name: ownName }
  if (CRITERION_ID.test(id)) return { letter: id.charAt(0), number: Number(id.slice(1)), name: slug(title) }
  return BARE_NAME.test(id) && id.length <= LONGEST_NAME ? { letter, number: free, name: id } : null
}

/** Characters of a file's name. */
const LONGEST_NAME = 40

/** The first words of a title in the form of a file name, without articles and similar words. */
const slug = (title: string): string =>
  title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9 -]/gu, "")
    .split(/[\s-]+/u)
    .filter(
      (word) =>
        /^[a-z0-9]+$/u.test(word) &&
        !["a", "an", "the", "is", "are", "there", "it", "its", "of", "to", "and"].includes(word)
    )
    .slice(0, 3)
    .join("-")
    .replace(/^[0-9-]+/u, "")

const freeNumber = (letter: string, { criteria }: TakenNames): number => {
  let number = 1
  while (criteria.has(`${letter}${number}`)) number += 1
  return number
}

const camelCase = (name: string): string => name.replace(/-([a-z0-9])/gu, (_, first: string) => first.toUpperCase())
