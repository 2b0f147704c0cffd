import { expect, it } from "vitest"
import { generatorOf } from "../../../engine/page/html/Generator.ts"
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
  expect(generatorOf(walked(body), named)).toBe(generator)
})
