import { expect, it } from "vitest"
import { readRedirect } from "../../../engine/page/html/PageRedirects.ts"
import { ORIGIN } from "../../site/FakeContext.ts"
import { walked } from "./Walked.ts"

const URL_OF_PAGE = `${ORIGIN}/docs/`
const TO = `${ORIGIN}/docs/v2/`

it.each([
  ["by an immediate refresh", '<meta http-equiv=refresh content="0; url=v2/">', { kind: "meta", url: TO }],
  ["not by a slow refresh", '<meta http-equiv=refresh content="30; url=v2/">', null],
  ["not by a refresh to itself", '<meta http-equiv=refresh content="0; url=#top">', null],
  [
    "by a script that assigns the location",
    "<script>window.location.href = 'v2/'</script>",
    { kind: "script", url: TO }
  ],
  [
    "by a script that calls replace",
    '<script>/* go on */ location.replace("v2/")</script>',
    { kind: "script", url: TO }
  ],
  ["not by a statement in a condition", "<script>if (old) location.replace('v2/')</script>", null],
  ["not by a statement in a function", "<script>function go() { location = 'v2/' }</script>", null],
  ["not by the script of a page with content", `<p>${"Text. ".repeat(100)}</p><script>location = 'v2/'</script>`, null]
])("a page redirects %s", (_, html, redirect) => {
  expect(readRedirect(walked(html), URL_OF_PAGE, URL_OF_PAGE)).toEqual(redirect)
})
