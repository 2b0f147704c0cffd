import { expect, it } from "vitest"
import { shownByFile } from "../../../engine/page/script/ViewerScript.ts"

it("reads the descriptions of Redocusaurus in the main script of the site, from two folders above it", () => {
  const script = String.raw`x(JSON.parse('{"docusaurus-plugin-redoc":{"a":{"url":"redocusaurus/a.yaml","themeId":"theme-redoc"},"b":{"url":"redocusaurus/b.yaml"}}}'))`
  expect(
    shownByFile(script, "https://docs.example.com/shop/assets/js/main.60fc.js").map(({ kind, url }) => [kind, url])
  ).toEqual([
    ["redoc", "https://docs.example.com/shop/redocusaurus/a.yaml"],
    ["redoc", "https://docs.example.com/shop/redocusaurus/b.yaml"]
  ])
})
