import { generatorTitle } from "../../rubric/GeneratorTitle.ts"
import type { Fix } from "../FixFirst.ts"

/**
 * How to do each fix with the site's generator, by criterion: `With MkDocs: …`. A recipe that does several is written out with
 * the first of them. `link` writes the URL of its documentation.
 */
export const recipeTexts = (fixes: ReadonlyArray<Fix>, link: (url: string) => string): ReadonlyMap<string, string> => {
  const firstWith = new Map<string, string>()
  return new Map(
    fixes.flatMap(({ criterion: { id, remedy } }) => {
      if (remedy?.recipe === undefined) return []
      const { do: what, generator, url } = remedy.recipe
      const first = firstWith.get(what)
      if (first === undefined) firstWith.set(what, id)
      return [
        [
          id,
          `With ${generatorTitle(generator)}: ${first === undefined ? `${what} ${link(url)}` : `the same as for ${first}.`}`
        ] as const
      ]
    })
  )
}
