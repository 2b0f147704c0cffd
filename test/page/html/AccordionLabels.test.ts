import { expect, it } from "vitest"
import { accordionLabels } from "../../../engine/page/html/Headings.ts"
import { walkedContent } from "./Walked.ts"

const PANEL = "<div>Wait for as long as Retry-After says.</div>"

const entry = (label: string, panel = PANEL): string => `<button>${label}</button>${panel}`

const labelsIn = (body: string): ReadonlyArray<string> => {
  const { content, walk } = walkedContent(`<main><h1>Questions</h1>${body}</main>`)
  return accordionLabels(walk, content).map(({ text }) => text)
}

it.each([
  [
    "two in a row, each before its panel",
    entry("What if I send too many?") + entry("How do I get a key?"),
    ["What if I send too many?", "How do I get a key?"]
  ],
  ["not one alone", entry("What if I send too many?"), []],
  ["not short labels, such as Copy", entry("Copy") + entry("Next"), []],
  [
    "not buttons before nothing to read",
    entry("What if I send too many?", "<div></div>") + entry("How do I get a key?", "<div></div>"),
    []
  ],
  ["not those of a navigation", `<nav>${entry("What if I send too many?")}${entry("How do I get a key?")}</nav>`, []]
])("the labels of an accordion are %s", (_, body, labels) => {
  expect(labelsIn(body)).toEqual(labels)
})
