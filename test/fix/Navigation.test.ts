import { expect, test } from "vitest"
import { navigationOf } from "../../engine/fix/site/PageOrder.ts"
import type { Page } from "../../engine/page/Page.ts"
import { readPage } from "../../engine/page/read/ReadPage.ts"
import { answerOf, ORIGIN } from "../site/FakeContext.ts"

const BAR = `<nav><a href="/">Harbour</a> <a href="/keys/">Keys</a> <a href="/load/">Load</a> <a href="/who/">Who</a></nav>`

const pageAt = (path: string, menu = ""): Page =>
  readPage({
    answer: answerOf(
      `${ORIGIN}${path}`,
      `<!doctype html><html lang="en"><body>${BAR}${menu}<main><h1>${path}</h1><p>Harbour stores parcels and tells where they are.</p></main></body></html>`
    )
  })

test("what only the menu of a part names comes after the bar's pages, not behind the way back to the start", () => {
  const start = pageAt("/")
  const load = pageAt(
    "/load/",
    `<aside><a href="/"><b>Harbour</b></a><nav><a href="/load/">Load</a><a href="/load/tools/">Tools</a></nav></aside>`
  )
  const { placeOf } = navigationOf(start, [start, pageAt("/keys/"), load])
  const paths = ["/load/tools/", "/who/", "/load/", "/keys/", "/"]
  expect(paths.toSorted((one, other) => placeOf(`${ORIGIN}${one}`) - placeOf(`${ORIGIN}${other}`))).toEqual([
    "/",
    "/keys/",
    "/load/",
    "/who/",
    "/load/tools/"
  ])
})

test("a heading that is a link begins a part of its own, and a menu of one link is no title of the next", () => {
  const menus = `<aside><nav><h5><a href="/load/">Deploy</a></h5></nav><nav><h5><a href="/api/">API</a></h5><ul><li><a href="/api/keys/">Keys</a></li><li><a href="/api/users/">Users</a></li></ul></nav></aside>`
  const { sectionOf } = navigationOf(null, [pageAt("/api/", menus)])
  expect(["/load/", "/api/", "/api/keys/", "/api/users/"].map((path) => sectionOf(`${ORIGIN}${path}`))).toEqual([
    "",
    "API",
    "API",
    "API"
  ])
})
