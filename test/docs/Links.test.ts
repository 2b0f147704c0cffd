import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")
const REPOSITORY = "https://github.com/docgauge/docgauge/blob/main/"

const PAGES = globSync(["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md"], { cwd: ROOT })

const prose = (page: string): string => readFileSync(join(ROOT, page), "utf8").replaceAll(/^ *```[^]*?^ *```$/gmu, "")

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...prose(page).matchAll(/^#+ (.*)$/gmu)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-")
    )
  )

const linksOf = (page: string) =>
  [...prose(page).matchAll(/\]\(([^)\s#]*)(?:#([^)\s]+))?\)/gu)].flatMap(([, href = "", anchor]) => {
    const inTree = href.startsWith(REPOSITORY)
      ? href.slice(REPOSITORY.length)
      : /^\w+:/.test(href)
        ? null
        : href === ""
          ? page
          : join(dirname(page), href)
    return inTree === null ? [] : [{ page, path: inTree, anchor }]
  })

describe("the links between the pages of the repository", () => {
  const links = PAGES.flatMap(linksOf)

  it("lead to files that there are", () => {
    expect(links.length).toBeGreaterThan(100)
    expect(links.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it("lead to headings that there are", () => {
    expect(
      links.filter(({ anchor, path }) => anchor !== undefined && path.endsWith(".md") && !anchorsOf(path).has(anchor))
    ).toEqual([])
  })

  it("reach each page of docs/ from the README, by its index", () => {
    const reached = new Set(
      ["README.md", "docs/README.md", "docs/criteria/README.md"].flatMap(linksOf).map(({ path }) => path)
    )
    expect(PAGES.filter((page) => page !== "README.md" && !reached.has(page))).toEqual([])
  })
})
