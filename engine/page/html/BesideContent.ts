import { codeText } from "../dom/CodeText.ts"
import type { DomWalk, Segment } from "../dom/DomWalk.ts"
import type { PageBeside } from "../Page.ts"
import type { ChosenContent } from "./MainContentReader.ts"

/** A container with this share of the text outside navigation is the page; what is beside it is furniture that nobody marked. */
const MOST_TEXT = 2 / 3

const MAX_SEGMENTS = 20_000
const MAX_CODE_BLOCKS = 2_000

/** Containers that a page has once, for all its content. */
const WHOLE = new Set(["main", "[role=main]", "body"])

const NOTHING_BESIDE: PageBeside = { isPart: false, segments: [], headings: [], code: [] }

/** What is beside the main content where that is one of several parts, as one card of a home page is. */
export const besideContent = (walk: DomWalk, { container, segments }: ChosenContent): PageBeside => {
  if (WHOLE.has(container.name) || lengthOf(segments) >= MOST_TEXT * lengthOf(walk.segments)) return NOTHING_BESIDE
  const isBeside = ({ order }: { readonly order: number }): boolean => order <= container.from || order > container.to
  const others = walk.segments.filter(isBeside).slice(0, MAX_SEGMENTS)
  return {
    isPart: true,
    segments: others.map(({ text }) => text),
    headings: others.filter(({ isHeading }) => isHeading).map(({ text }) => text),
    code: (walk.seen.get("pre") ?? [])
      .filter((pre) => !pre.surrounding && isBeside(pre))
      .slice(0, MAX_CODE_BLOCKS)
      .map(({ element }) => codeText(element))
  }
}

const lengthOf = (segments: ReadonlyArray<Segment>): number => segments.reduce((sum, { text }) => sum + text.length, 0)
