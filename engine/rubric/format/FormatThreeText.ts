import type { CriterionDefinition, Rubric } from "../definition/Rubric.ts"
import { sameJson } from "../diff/SameJson.ts"
import type { YamlNode } from "../source/YamlSource.ts"
import { formatThreeCriterion } from "./FormatThreeCriterion.ts"
import { isWrittenMap, type Written, type WrittenMap, writtenMap, writtenNode } from "./Written.ts"
import { yamlText } from "./YamlText.ts"
import { rfcTitle } from "./RfcTitle.ts"

/** Keys of format 3 whose values stay in one line where they fit. */
const INLINE = new Set([
  "verdicts",
  "categories",
  "params",
  "needs",
  "checks",
  "points",
  "recipes",
  "read",
  "evidence",
  "deprecated",
  "criteria",
  "changes"
])

/**
 * A rubric as a file of format 3.
 *
 * @param rubric its texts as they are written, with the names of numbers in them.
 * @param own the criteria that are of format 3 already, by id: they stay as their authors wrote them.
 */
export const formatThreeText = (rubric: Rubric, own: ReadonlyMap<string, YamlNode>): string => {
  const { categories, changes, draft, experimental, id, title, verdicts, version } = rubric
  const titles = new Map<string, string>()
  const write = (definition: CriterionDefinition): WrittenMap => writtenCriterion(definition, own, titles)
  const scored = categories.flatMap(({ criteria }) => criteria)
  const file = writtenMap([
    ["format", 3],
    ["id", id],
    ["version", version],
    ["draft", draft],
    ["title", title],
    ["verdicts", verdicts],
    ["categories", categories.map(({ criteria: _, ...head }) => head)],
    ["criteria", scored.map(write)],
    ["experimental", experimental?.map(({ category: _, ...definition }) => write(definition))],
    ["recipes", sharedRecipes([...scored, ...(experimental ?? [])])],
    ["changes", changes]
  ])
  const heading = (item: Written, index: number, items: ReadonlyArray<Written>): string | null => {
    const letter = letterOf(item)
    const category = categories.find((each) => each.id === letter)
    return category === undefined || letterOf(items[index - 1] ?? null) === letter ? null : category.title
  }
  return yamlText(file, {
    inline: INLINE,
    oneLine: new Set(["categories"]),
    spaced: new Map([
      ["criteria", heading],
      ["experimental", () => null]
    ])
  })
}

const letterOf = (item: Written): string => {
  const id = isWrittenMap(item) ? item.get("id") : null
  return typeof id === "string" ? id.slice(0, 1) : ""
}

const writtenCriterion = (
  definition: CriterionDefinition,
  own: ReadonlyMap<string, YamlNode>,
  titles: Map<string, string>
): WrittenMap => {
  const node = own.get(definition.id)
  const written = node === undefined ? formatThreeCriterion(definition) : writtenNode(node)
  if (!isWrittenMap(written)) return formatThreeCriterion(definition)
  const entries = new Map(written)
  entries.delete("recipes")
  entries.set(
    "read",
    definition.references.map((reference) => readOf(reference, titles))
  )
  return entries
}

/** A title is given once; that of an RFC is its number. */
const readOf = ({ title, url }: CriterionDefinition["references"][number], titles: Map<string, string>): Written => {
  if (titles.get(url) === title || rfcTitle(url) === title) return url
  if (!titles.has(url)) titles.set(url, title)
  return writtenMap([
    ["title", title],
    ["url", url]
  ])
}

interface Shared {
  readonly criteria: Array<string>
  readonly recipe: { readonly do: string; readonly url: string }
}

/** The recipes of all criteria by generator, each once; `undefined` where there are none. */
const sharedRecipes = (criteria: ReadonlyArray<CriterionDefinition>): WrittenMap | undefined => {
  const byGenerator = new Map<string, Array<Shared>>()
  for (const { id, remedy } of criteria) {
    for (const [generator, recipe] of Object.entries(remedy.recipes ?? {})) {
      const shared = byGenerator.get(generator) ?? []
      const same = shared.find((each) => sameJson(each.recipe, recipe))
      if (same === undefined) shared.push({ criteria: [id], recipe })
      else same.criteria.push(id)
      byGenerator.set(generator, shared)
    }
  }
  const sorted = [...byGenerator].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.length === 0
    ? undefined
    : writtenMap(
        sorted.map(
          ([generator, recipes]) =>
            [generator, recipes.map(({ criteria, recipe }) => ({ criteria, do: recipe.do, url: recipe.url }))] as const
        )
      )
}
