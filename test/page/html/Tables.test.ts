import { describe, expect, it } from "vitest"
import type { Element } from "../../../engine/page/dom/HtmlTree.ts"
import { isCodeTable, readDefinitions, readTitledItem, readTable } from "../../../engine/page/html/Tables.ts"
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
    ],
    [
      "whose rows of one header cell name groups, and head nothing",
      "<tr><th>Errors<tr><td>401<td>No key",
      { caption: "", header: [], rows: [["Errors"], ["401", "No key"]] }
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

describe("an item of a list with a title and paragraphs about it", () => {
  it.each([
    [
      "has its first line as title",
      "API key<p>Create it in the console.</p><p>It is secret.</p>",
      ["API key", "Create it in the console. It is secret."]
    ],
    ["has what is inline as title", "The <b>API</b> key:<p>Create it.</p>", ["The API key", "Create it."]],
    [
      "has a first paragraph in bold as title",
      "<p><strong>API key</strong></p><p>Create it.</p>",
      ["API key", "Create it."]
    ],
    ["is none if it begins with a sentence", "Press the button.<p>It turns green.</p>", null],
    ["is none with a list below it", "API key<ul><li>Create it</ul>", null],
    ["is none with a first paragraph of running text", "<p>Create an API key</p><p>It is secret</p>", null],
    ["is none with an image only", "API key<p><img src='a.png'></p>", null]
  ])("%s", (_, inner, entry) => {
    const found = readTitledItem(element("li", `<ul><li>${inner}</li></ul>`), 3)
    expect(found === null ? null : [found.term, found.text]).toEqual(entry)
  })
})
