import type { Page } from "../page/Page.ts"
import type { GeneratorName } from "../rubric/definition/Rubric.ts"

const PATTERNS: ReadonlyArray<readonly [GeneratorName, RegExp]> = [
  ["docusaurus", /^docusaurus\b/i],
  ["mkdocs", /^mkdocs\b/i],
  ["sphinx", /^sphinx\b/i],
  ["starlight", /\bstarlight\b/i],
  ["vitepress", /^vitepress\b/i]
]

/** The documentation generator that at least half of the pages were made by, if the rubric can have a recipe for it; else `null`. */
export const siteGenerator = (pages: ReadonlyArray<Pick<Page, "generators">>): GeneratorName | null =>
  PATTERNS.find(([, pattern]) => {
    const made = pages.filter(({ generators }) => generators.some((name) => pattern.test(name))).length
    return made > 0 && made * 2 >= pages.length
  })?.[0] ?? null
