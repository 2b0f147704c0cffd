import { attribute, classesOf } from "./HtmlTree.ts"
import type { PageWalk } from "./PageWalk.ts"

/** Marks that generators leave where they do not name themselves: classes, ids and elements. */
const MARKS: ReadonlyArray<readonly [generator: string, element: string, attribute: "class" | "id", mark: string]> = [
  ["sphinx", "div", "class", "sphinxsidebar"],
  ["sphinx", "div", "class", "rst-content"],
  ["sphinx", "div", "class", "documentwrapper"],
  ["yard", "div", "id", "filecontents"],
  ["yard", "div", "class", "nav_wrap"],
  ["slate", "div", "class", "toc-wrapper"],
  ["javadoc", "div", "class", "contentContainer"],
  ["javadoc", "div", "class", "flex-content"],
  ["rustdoc", "section", "id", "main-content"],
  ["vuepress", "div", "class", "theme-default-content"],
  ["redoc", "div", "class", "redoc-wrap"],
  ["mintlify", "div", "id", "content-area"],
  ["readme", "div", "class", "rm-Markdown"]
]

/** The generator that a page names, else the one that its markup gives away; empty where neither is so. */
export const generatorOf = (walk: PageWalk, named: string): string => {
  if (named !== "" && !/^docutils/i.test(named)) return named
  const mark = MARKS.find(([, element, where, name]) =>
    (walk.byName.get(element) ?? []).some((candidate) => where === "id" ? attribute(candidate, "id") === name : classesOf(candidate).includes(name))
  )
  return mark?.[0] ?? named
}
