import { expect, it } from "vitest"
import { generatorsOf } from "../../../engine/page/html/PageMetadata.ts"
import { walked } from "./Walked.ts"

it.each([
  ["its own name", "Docusaurus v3.2.1", "<div class=rst-content></div>", "Docusaurus v3.2.1"],
  ["the mark of a theme, where Docutils is named", "Docutils 0.21", '<div class="rst-content x"></div>', "sphinx"],
  ["the mark of a theme, where nothing is named", "", "<div class=redoc-wrap></div>", "redoc"],
  ["a section's id", "", "<section id=main-content></section>", "rustdoc"],
  [
    "MkDocs' variables before the marks of its theme, which are those of Sphinx'",
    "",
    '<script>var mkdocs_page_name = "Home";</script><div class=rst-content></div>',
    "mkdocs"
  ],
  ["not a mark on another element", "", "<p class=redoc-wrap></p>", ""],
  ["nothing", "", "<main></main>", ""]
])("the generator of a page is told by %s", (_, named, body, generator) => {
  const found = generator === "" ? [] : [generator]
  expect(generatorsOf(walked(body), named === "" ? [] : [named])).toEqual(found)
})

it("has all generators that a page names, but not the one that only formats its text", () => {
  expect(generatorsOf(walked("<div class=redoc-wrap></div>"), ["Quill 5", "Docutils 0.21", "Quill Docs 2"])).toEqual([
    "Quill 5",
    "Quill Docs 2"
  ])
})
