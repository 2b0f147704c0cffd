import { expect, it } from "vitest"
import { isMounted } from "../../../engine/page/html/HtmlPage.ts"
import { walkedContent } from "./Walked.ts"

const NAV = "<nav><a href=/>Quill</a></nav>"
const SCRIPT = "<script>start()</script>"

it.each([
  ["the page shows nothing", `<main></main>${SCRIPT}`, true],
  ["it says that it needs scripts", `${NAV}<main></main><noscript>Please enable JavaScript.</noscript>${SCRIPT}`, true],
  ["an empty element has an id", `${NAV}<main><div id=app> </div></main>${SCRIPT}`, true],
  ["the content itself has one", `${NAV}<main id=app></main>${SCRIPT}`, true],
  ["an empty element is of a kind of its own", `${NAV}<quill-docs></quill-docs>${SCRIPT}`, true],
  [
    "there is an empty article beside a script",
    `${NAV}<main><article class=markdown></article></main>${SCRIPT}`,
    false
  ],
  ["there is no script", `${NAV}<main id=app></main>`, false]
])("scripts may fill a page without text where %s: %#", (_, body, mounted) => {
  const { content, walk } = walkedContent(body)
  expect(isMounted(walk, content)).toBe(mounted)
})
