import { suggestion } from "../source/NearestName.ts"
import type { Diagnostic, SourceText } from "../source/SourceText.ts"
import {
  headOf,
  isMap,
  itemsUnder,
  leafOf,
  listOf,
  mapOf,
  plainTextAt,
  withEntry,
  type YamlEntry,
  type YamlNode
} from "../source/YamlSource.ts"
import { type FormatTwo, formatTwoCriterion } from "./FormatTwoCriterion.ts"

/** A rubric of format 3 spelt out as format 2. */
interface FormatTwoTree {
  readonly root: YamlNode
  /** The criteria as format 3 has them, with the recipes that serve them, by id. */
  readonly criteria: ReadonlyMap<string, YamlNode>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Whether a file says that it is of format 3. */
export const isFormatThree = (root: YamlNode): boolean => root.entries.get("format")?.node.plain === 3

/** Spells a whole file out. Every part keeps its place; what is missing or of the wrong type is left out, and reported elsewhere. */
export const formatTwoTree = (root: YamlNode, source: SourceText): FormatTwoTree => {
  const { diagnostics, recipes } = sharedRecipes(root)
  const titles = titlesIn([...itemsUnder(root, "criteria"), ...itemsUnder(root, "experimental")])
  const spell = (node: YamlNode) => {
    const own = withRecipes(node, recipes)
    return { id: plainTextAt(node, "id"), own, ...formatTwoCriterion(own, titles, source) }
  }
  const scored = itemsUnder(root, "criteria").map(spell)
  const trials = itemsUnder(root, "experimental").map(spell)
  const entries = new Map(root.entries)
  for (const key of ["criteria", "recipes"]) entries.delete(key)
  rewrite(entries, "format", (node) => ({ ...node, plain: 2 }))
  rewrite(entries, "categories", (node) =>
    listOf(
      node.items.map((category) => withCriteria(category, scored)),
      node.span
    )
  )
  rewrite(entries, "experimental", (node) => listOf(trials.map(trialOf), node.span))
  return {
    root: mapOf(entries, root.span),
    criteria: new Map([...scored, ...trials].flatMap(({ id, own }) => (id === null ? [] : [[id, own] as const]))),
    diagnostics: [
      ...diagnostics,
      ...[...scored, ...trials].flatMap((each) => each.diagnostics),
      ...strayCriteria(root),
      ...strayRecipes(root)
    ]
  }
}

const rewrite = (entries: Map<string, YamlEntry>, key: string, to: (node: YamlNode) => YamlNode): void => {
  const entry = entries.get(key)
  if (entry !== undefined) entries.set(key, { key: entry.key, node: to(entry.node) })
}

interface SpeltCriterion extends FormatTwo {
  readonly id: string | null
}

const withCriteria = (category: YamlNode, criteria: ReadonlyArray<SpeltCriterion>): YamlNode => {
  const letter = plainTextAt(category, "id") ?? ""
  const own = criteria.filter(({ id }) => letterOf(id) === letter).map(({ node }) => node)
  const key = headOf(category)
  return isMap(category) ? withEntry(category, "criteria", { key, node: listOf(own, key) }) : category
}

/** The category of a criterion is the letter of its id. */
const letterOf = (id: string | null): string => id?.slice(0, 1) ?? ""

/** A criterion on trial, which names its category in format 2. */
export const trialOf = ({ id, node }: SpeltCriterion): YamlNode => {
  const entry = node.entries.get("id")
  return entry === undefined || node.entries.has("category")
    ? node
    : withEntry(node, "category", {
        key: entry.key,
        node: leafOf(letterOf(id), entry.node.span)
      })
}

/** Criteria with points whose category is not there. */
const strayCriteria = (root: YamlNode): ReadonlyArray<Diagnostic> => {
  const letters = itemsUnder(root, "categories").flatMap((category) => plainTextAt(category, "id") ?? [])
  return itemsUnder(root, "criteria").flatMap((node): ReadonlyArray<Diagnostic> => {
    const id = node.entries.get("id")?.node
    if (id === undefined || !/^[A-Z]/u.test(String(id.plain)) || letters.includes(letterOf(String(id.plain)))) return []
    return [
      {
        rule: "value",
        span: id.span,
        message: `there is no category "${letterOf(String(id.plain))}" for ${String(id.plain)}`,
        hint: `add it to "categories", or take another letter: there are ${letters.join(", ")}`
      }
    ]
  })
}

/** Recipes by the criterion that they serve, as `generator: { do, url }`. */
type RecipesByCriterion = ReadonlyMap<string, YamlNode>

/** The recipes that are kept for all criteria. */
const sharedRecipes = (
  root: YamlNode
): { readonly recipes: RecipesByCriterion; readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const recipes = new Map<string, YamlNode>()
  const diagnostics: Array<Diagnostic> = []
  for (const [generator, { key, node }] of root.entries.get("recipes")?.node.entries ?? []) {
    for (const recipe of node.items) {
      const own = mapOf(new Map([...recipe.entries].filter(([name]) => name !== "criteria")), recipe.span)
      for (const { plain, span } of itemsUnder(recipe, "criteria")) {
        const id = String(plain)
        const before = recipes.get(id) ?? mapOf(new Map(), span)
        if (before.entries.has(generator))
          diagnostics.push({
            rule: "duplicate_id",
            span,
            message: `${id} has a recipe for ${generator} already`,
            hint: "keep one of the two"
          })
        else recipes.set(id, withEntry(before, generator, { key, node: own }))
      }
    }
  }
  return { recipes, diagnostics }
}

/** A criterion with the shared recipes that serve it; its own go first. */
const withRecipes = (criterion: YamlNode, recipes: RecipesByCriterion): YamlNode => {
  const shared = recipes.get(plainTextAt(criterion, "id") ?? "")
  const own = criterion.entries.get("recipes")
  if (shared === undefined) return criterion
  const node = mapOf(new Map([...shared.entries, ...(own?.node.entries ?? [])]), own?.node.span ?? shared.span)
  return withEntry(criterion, "recipes", { key: own?.key ?? headOf(criterion), node })
}

/** If ids are missing or duplicate, it is unknown which one a recipe means. */
const strayRecipes = (root: YamlNode): ReadonlyArray<Diagnostic> => {
  const criteria = [...itemsUnder(root, "criteria"), ...itemsUnder(root, "experimental")]
  const ids = criteria.flatMap((criterion) => plainTextAt(criterion, "id") ?? [])
  if (new Set(ids).size < criteria.length) return []
  return [...(root.entries.get("recipes")?.node.entries.values() ?? [])].flatMap(({ node }) =>
    node.items
      .flatMap((recipe) => itemsUnder(recipe, "criteria"))
      .filter(({ plain }) => typeof plain === "string" && !ids.includes(plain))
      .map(({ plain, span }): Diagnostic => ({
        rule: "value",
        span,
        message: `there is no criterion "${String(plain)}"`,
        hint: suggestion(String(plain), ids, "there are")
      }))
  )
}

/** Titles by URL, of all that the criteria say to read. */
export const titlesIn = (criteria: ReadonlyArray<YamlNode>): ReadonlyMap<string, string> =>
  new Map(
    criteria
      .flatMap((criterion) => [...itemsUnder(criterion, "read"), ...itemsUnder(criterion, "references")])
      .flatMap((item): ReadonlyArray<readonly [string, string]> => {
        const [title, url] = [plainTextAt(item, "title"), plainTextAt(item, "url")]
        return title === null || url === null ? [] : [[url, title]]
      })
  )
