import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { certaintyOf, loadRecipes, recipesFor } from "../../../engine/rubric/recipes/Recipes.ts"
import { GENERATOR_TITLES, generatorTitle } from "../../../engine/rubric/CriterionPage.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"

const fileAt = (path: string): Uint8Array => readFileSync(new URL(`../../../${path}`, import.meta.url))

const rubric = await Effect.runPromise(loadRubric(fileAt("rubric.yaml"), "rubric.yaml", plugins))
const criteria = rubric.criteria.map(({ definition }) => definition)
const ids = criteria.map(({ id }) => id)
const book = await Effect.runPromise(loadRecipes(fileAt("recipes.yaml"), "recipes.yaml", ids))

const NAMED = [
  "docusaurus",
  "mkdocs",
  "sphinx",
  "vitepress",
  "hugo",
  "jekyll",
  "starlight",
  "mdbook",
  "nextra",
  "redoc",
  "scalar",
  "swagger-ui",
  "slate",
  "mintlify",
  "readme",
  "gitbook",
  "netlify",
  "vercel",
  "cloudflare",
  "nginx",
  "caddy",
  "apache",
  "github-pages",
  "s3"
]

describe("recipes.yaml", () => {
  it("has recipes for every generator, viewer, service and host that docgauge names", () => {
    expect(book.tools.map(({ id }) => id).toSorted()).toEqual(NAMED.toSorted())
  })

  it("is the source of each short recipe in the rubric, word for word", () => {
    const different = criteria.flatMap(({ id, remedy }) =>
      Object.entries(remedy.recipes ?? {})
        .filter(
          ([tool, recipe]) =>
            !recipesFor(book, tool, new Set([id])).some(({ do: what, url }) => what === recipe.do && url === recipe.url)
        )
        .map(([tool]) => `${id} with ${tool}`)
    )
    expect(different).toEqual([])
  })

  it("has the titles of generators that reports show", () => {
    const titles = book.tools
      .filter(({ id }) => Object.hasOwn(GENERATOR_TITLES, id))
      .map(({ id, title }) => [id, title])
    expect(Object.fromEntries(titles)).toEqual(GENERATOR_TITLES)
    expect(generatorTitle("mkdocs")).toBe("MkDocs")
    expect(generatorTitle("unknown")).toBe("unknown")
  })

  it("says no tool to be tried that is read only", () => {
    const tried = book.tools.flatMap(({ id, recipes }) =>
      recipes.filter((recipe) => recipe.tried).map((recipe) => ({ id, recipe }))
    )
    expect(tried.filter(({ recipe }) => recipe.read === false)).toEqual([])
    expect(tried.filter(({ recipe }) => /\bread (?:at|in)\b/.test(recipe.do))).toEqual([])
    expect(new Set(tried.map(({ id }) => id))).toEqual(
      new Set(["docusaurus", "vitepress", "mkdocs", "sphinx", "hugo", "jekyll", "starlight"])
    )
  })
})

describe("choosing recipes", () => {
  it("gives those of a tool for the criteria that are asked for, and no other criteria", () => {
    expect(recipesFor(book, "vitepress", new Set(["A4", "B1"])).map((recipe) => recipe.criteria)).toEqual([
      ["B1"],
      ["A4"]
    ])
    expect(recipesFor(book, "unknown", new Set(["A4"]))).toEqual([])
  })

  it("says how sure a recipe is", () => {
    const recipe = { criteria: ["A1"], version: "1.2.3", do: "Do this and then do that.", url: "https://example.com/" }
    expect(certaintyOf({ ...recipe, tried: true })).toBe("tried with 1.2.3")
    expect(certaintyOf({ ...recipe, tried: false })).toBe("read at 1.2.3, not tried")
    expect(certaintyOf({ ...recipe, tried: false, read: false })).toBe("neither read nor tried")
  })
})

describe("a recipe file with mistakes", () => {
  const entry = (changes: string): string => `format: 1
tools:
  - id: one
    title: One
    kind: generator
    recipes:
      - criteria: [A1]
        version: "1"
        do: "Set this option to that value."
        url: "https://example.com/docs"
        tried: false
${changes}`
  const problems = async (text: string): Promise<string> =>
    Effect.runPromise(
      Effect.match(loadRecipes(Buffer.from(text), "r.yaml", ["A1", "B1"]), {
        onFailure: ({ message }) => message,
        onSuccess: () => ""
      })
    )

  it.each([
    ["an unknown criterion", entry("").replace("[A1]", "[A1, B7]"), "r.yaml:7:24: there is no criterion B7"],
    [
      "a tool that is there twice",
      entry("").replace("tools:\n", `tools:\n${entry("").split("tools:\n")[1] ?? ""}`),
      "a tool named one is already in the file"
    ],
    [
      "an address without https",
      entry("").replace("https://example.com", "http://example.com"),
      "must be an https URL"
    ],
    ["a package without its registry", entry("        package: left-pad\n"), "must be a registry and a name"],
    ["an unknown key", entry("        tryed: true\n"), "tryed"]
  ])("tells of %s, with its place", async (_, text, expected) => {
    expect(await problems(text)).toContain(expected)
  })

  it("is none without mistakes", async () => {
    expect(await problems(entry(""))).toBe("")
  })
})
