import { expect, it } from "vitest"
import { versionLinks } from "../../../engine/page/html/PageControls.ts"
import { ORIGIN } from "../../site/FakeContext.ts"
import { walked } from "./Walked.ts"

it.each([
  [
    "the options of a list",
    "<select><option value=/v2/>v2.0<option value=/v1/>v1.9</select>",
    [`${ORIGIN}/v2/`, `${ORIGIN}/v1/`]
  ],
  [
    "the links of a menu",
    "<ul><li><a href=/v2/>2.x (latest)</a><li><a href=/v1/>1.x</a></ul>",
    [`${ORIGIN}/v2/`, `${ORIGIN}/v1/`]
  ],
  ["an element of that name, which a script fills in", "<div class=version-selector></div>", []],
  [
    "the file of MkDocs Material's versions",
    '<script id=__config type=application/json>{"base": "..", "version": {"provider": "mike"}}</script>',
    [`${ORIGIN}/versions.json`]
  ],
  ["nothing in a changelog's table of contents", "<ul><li><a href=#v2>2.0.0</a><li><a href=#v1>1.0.0</a></ul>", null],
  ["nothing in other lists", "<select><option value=/en/>English<option value=/de/>Deutsch</select>", null]
])("finds %s", (_, html, links) => {
  expect(versionLinks(walked(html), `${ORIGIN}/docs/page/`)).toEqual(links)
})
