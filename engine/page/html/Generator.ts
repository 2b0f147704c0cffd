import type { DomWalk } from "../dom/DomWalk.ts"
import { contentOf } from "../dom/HtmlTree.ts"
import { $ } from "../dom/Selection.ts"

/** Marks that generators leave where they do not name themselves: each a `div` or a `section`. */
const MARKS: ReadonlyArray<readonly [generator: string, selector: string]> = [
  ["mkdocs", "div#mkdocs_search_modal"],
  ["sphinx", "div.sphinxsidebar"],
  ["sphinx", "div.rst-content"],
  ["sphinx", "div.documentwrapper"],
  ["yard", "div#filecontents"],
  ["yard", "div.nav_wrap"],
  ["slate", "div.toc-wrapper"],
  ["javadoc", "div.contentContainer"],
  ["javadoc", "div.flex-content"],
  ["rustdoc", "section#main-content"],
  ["vuepress", "div.theme-default-content"],
  ["redoc", "div.redoc-wrap"],
  ["mintlify", "div#content-area"],
  ["readme", "div.rm-Markdown"]
]

const MAX_NAMED = 10

/** The generators that a page names, such as a framework and its theme, else the one that its markup gives away. */
export const generatorsOf = (walk: DomWalk, named: ReadonlyArray<string>): ReadonlyArray<string> => {
  const telling = named.filter((name) => !/^docutils/i.test(name)).slice(0, MAX_NAMED)
  if (telling.length > 0) return telling
  if (hasMkDocsScript(walk)) return ["mkdocs"]
  const blocks = $([...(walk.byName.get("div") ?? []), ...(walk.byName.get("section") ?? [])])
  const marked = MARKS.find(([, selector]) => blocks.is(selector))
  return marked === undefined ? named.slice(0, MAX_NAMED) : [marked[0]]
}

/** MkDocs' own themes set these variables in the head of each page; that named readthedocs has the marks of Sphinx' theme otherwise. */
const hasMkDocsScript = (walk: DomWalk): boolean =>
  (walk.byName.get("script") ?? []).some((script) =>
    /\bvar mkdocs_page_name\b/.test(contentOf(script, SCRIPT_START).slice(0, SCRIPT_START))
  )

/** Characters of a script that are looked at. */
const SCRIPT_START = 300
