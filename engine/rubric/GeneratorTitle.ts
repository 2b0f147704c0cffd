import type { GeneratorName } from "./definition/Rubric.ts"

/** The names of documentation generators as their makers write them; the titles in recipes.yaml are the same. */
export const GENERATOR_TITLES: Readonly<Record<GeneratorName, string>> = {
  docusaurus: "Docusaurus",
  mkdocs: "MkDocs",
  sphinx: "Sphinx",
  starlight: "Astro Starlight",
  vitepress: "VitePress"
}

const TITLES: ReadonlyMap<string, string> = new Map(Object.entries(GENERATOR_TITLES))

/** The title of the generator that a recipe is for; its id where a later rubric names one that is not known here. */
export const generatorTitle = (generator: string): string => TITLES.get(generator) ?? generator
