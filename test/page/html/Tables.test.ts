import { describe, expect, it } from "vitest"
import type { Element } from "../../../engine/page/dom/HtmlTree.ts"
import { isCodeTable, readDefinitions, readTable } from "../../../engine/page/html/Tables.ts"
import { walked } from "./Walked.ts"

const element = (name: string, html: string): Element => {
  const [found] = walked(html).byName.get(name) ?? []
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

describe("a table", () => {
  it.each([
    [
      "with a head",
      "<thead><tr><th>Code<th>Meaning</thead><tr><td>401<td>No key",
      { caption: "", header: ["Code", "Meaning"], rows: [["401", "No key"]] }
    ],
    [
      "with a first row of header cells",
      "<caption>Errors</caption><tr><th>Code<th>Meaning<tr><td>401<td>No key",
      { caption: "Errors", header: ["Code", "Meaning"], rows: [["401", "No key"]] }
    ],
    [
      "without a head, whose rows are named",
      "<tr><th scope=row>401<td>No key<tr><th scope=row>404<td>No page",
      {
        caption: "",
        header: [],
        rows: [
          ["401", "No key"],
          ["404", "No page"]
        ]
      }
    ]
  ])("%s", (_, rows, table) => {
    expect(readTable(element("table", `<table>${rows}</table>`), 3)).toEqual({ ...table, section: 3 })
  })

  it("is none without cells, nor where it lays out code", () => {
    expect(readTable(element("table", "<table><tr></tr></table>"), 0)).toBeNull()
    const code = element("table", '<table class="x rouge-table"><tr><td>1<td>let a = 1</table>')
    expect([isCodeTable(code), readTable(code, 0)]).toEqual([true, null])
  })
})

describe("a definition list", () => {
  it.each([
    [
      "gives terms the definition that they share",
      "<dt>a<dt>b<dd>Both<dt>c<dd>One",
      [
        ["a", "Both"],
        ["b", "Both"],
        ["c", "One"]
      ]
    ],
    [
      "may group its entries",
      "<div><dt>a<dd>One</div><div><dt>b<dd>Two</div>",
      [
        ["a", "One"],
        ["b", "Two"]
      ]
    ],
    ["keeps the first of several definitions", "<dt>a<dd>One<dd>Two", [["a", "One"]]]
  ])("%s", (_, items, entries) => {
    expect(readDefinitions(element("dl", `<dl>${items}</dl>`), 0).map(({ term, text }) => [term, text])).toEqual(
      entries
    )
  })
})
