import type { Heading, Section } from "./Page.ts"

/**
 * Sections of a text that is cut at its headings, each with the path of the headings above it.
 *
 * @param texts what is below each heading; the first text comes before all headings, so there is one more than headings.
 */
export const sectionsOf = (
  headings: ReadonlyArray<Pick<Heading, "anchor" | "level" | "text">>,
  texts: ReadonlyArray<string>
): readonly [Section, ...ReadonlyArray<Section>] => {
  let above: ReadonlyArray<Pick<Heading, "level" | "text">> = []
  const sections = headings.map(({ anchor, level, text }, index): Section => {
    above = above.filter((heading) => heading.level < level)
    const path = above.map((heading) => heading.text)
    above = [...above, { level, text }]
    return { heading: text, level, anchor, path, text: texts[index + 1] ?? "" }
  })
  return [{ heading: "", level: 0, anchor: null, path: [], text: texts[0] ?? "" }, ...sections]
}
