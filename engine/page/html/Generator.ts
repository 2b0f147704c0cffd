import type { DomWalk } from "../dom/DomWalk.ts"
import { $ } from "../dom/Selection.ts"

/** Marks that generators leave where they do not name themselves: each a `div` or a `section`. */
const MARKS: ReadonlyArray<readonly [generator: string, selector: string]> = [
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

/** The generator that a page names, else the one that its markup gives away; empty where neither is so. */
export const generatorOf = (walk: DomWalk, named: string): string => {
  if (named !== "" && !/^docutils/i.test(named)) return named
  const blocks = $([...walk.byName.get("div") ?? [], ...walk.byName.get("section") ?? []])
  return MARKS.find(([, selector]) => blocks.is(selector))?.[0] ?? named
}
