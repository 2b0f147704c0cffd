import { describe, expect, it } from "vitest"
import { sourceFileOf } from "../../engine/site/SiteSource.ts"

describe("the source file of a page", () => {
  it.each([
    ["https://github.com/acme/docs/edit/main/docs/guide/start.md", "docs/guide/start.md"],
    ["https://github.com/acme/docs/blob/v2/README.md?plain=1#L3", "README.md"],
    ["https://gitlab.com/acme/team/docs/-/edit/main/docs/start.md", "docs/start.md"],
    ["https://git.acme.dev/acme/docs/-/blob/main/a%20b/%E6%97%A5.md", "a b/日.md"],
    ["https://codeberg.org/acme/docs/_edit/main/start.md", "start.md"],
    ["https://codeberg.org/acme/docs/src/branch/main/start.md", "start.md"],
    ["https://bitbucket.org/acme/docs/src/main/docs/start.md", "docs/start.md"]
  ])("of %s is %s", (link, path) => {
    expect(sourceFileOf([link])).toBe(path)
  })

  it.each([
    "https://docs.example.com/_sources/start.rst.txt",
    "https://github.com/acme/docs",
    "https://github.com/acme/docs/edit/main/",
    "https://github.com/acme/docs/edit/main/%2e%2e/secret.md",
    "https://github.com/acme/docs/edit/main/a%0Ab.md",
    "https://github.com/acme/docs/edit/main/a%zz.md",
    "https://github.com/acme/docs/edit/main//etc/passwd",
    "javascript:alert(1)"
  ])("is not known from %s", (link) => {
    expect(sourceFileOf([link])).toBeNull()
  })

  it("is that of the first link that names one", () => {
    expect(
      sourceFileOf([
        "https://docs.example.com/source",
        "https://github.com/acme/docs/edit/main/a.md",
        "https://github.com/acme/docs/edit/main/b.md"
      ])
    ).toBe("a.md")
  })
})
