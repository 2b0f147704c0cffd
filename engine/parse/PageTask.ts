import type { AgentPipeline, AgentReading } from "../page/conversion/AgentReading.ts"
import type { Conversion } from "../page/conversion/Conversion.ts"
import type { Page, PageInput } from "../page/Page.ts"
import { readWithTree } from "../page/read/ReadPage.ts"
import type { ElementSelection, Selector } from "../page/select/Selector.ts"

/** What a page is read for. `outline`: what is said of it in a few lines; `both`: that, and its Markdown. */
export interface PageTask extends PageInput {
  readonly wants: "page" | "outline" | "markdown" | "both" | AgentPipeline | ElementsWanted
}

interface ElementsWanted {
  readonly selector: Selector
}

export interface PageReply {
  /** Without its `answer`, which the caller has and need not get back; `null` unless it is wanted. */
  readonly page: Omit<Page, "answer"> | null
  /** `null` unless it is wanted. */
  readonly conversion: Conversion | null
  /** `null` unless it is wanted, and where the answer is no text. */
  readonly reading: AgentReading | null
  /** `null` unless it is wanted. */
  readonly selection: ElementSelection | null
}

/** Reads a page once, for all that is wanted of it. The converter is loaded when a page is first converted: audits do without it. */
export const readTask = async ({ wants, ...input }: PageTask): Promise<PageReply> => {
  if (typeof wants === "object" && "selector" in wants) return { ...NOTHING, selection: await selectIn(input, wants) }
  if (typeof wants === "object") {
    const { readAsAgent } = await import("../page/conversion/AgentReading.ts")
    return { ...NOTHING, reading: readAsAgent(input.answer, wants) }
  }
  const { page, tree } = readWithTree(input, READINGS[wants])
  const { answer: _, ...rest } = page
  if (wants === "page") return { ...NOTHING, page: rest }
  if (wants === "outline") return { ...NOTHING, page: withoutBody(rest) }
  const { convertPage } = await import("../page/conversion/ConvertPage.ts")
  return { ...NOTHING, page: wants === "markdown" ? null : withoutBody(rest), conversion: convertPage(page, tree) }
}

const READINGS = { page: "whole", outline: "opening", markdown: "linked", both: "linked" } as const

const NOTHING: PageReply = { page: null, conversion: null, reading: null, selection: null }

/** The selecting code is loaded for the first rule that selects. */
export const selectIn = async (input: PageInput, { selector }: ElementsWanted): Promise<ElementSelection> => {
  const { tree } = readWithTree(input, "opening")
  if (tree === null) return { elements: [], cut: false }
  const { selectElements } = await import("../page/select/SelectElements.ts")
  const selection = selectElements(tree.document, selector)
  return { ...selection, cut: selection.cut || input.answer.cut }
}

/** Blocks that a description is looked for in. */
const OPENING_SEGMENTS = 60

/** Without what only criteria ask for: posting it costs as much as converting the page. */
export const withoutBody = (page: Omit<Page, "answer">): Omit<Page, "answer"> => ({
  ...page,
  main: {
    ...page.main,
    text: page.substance === "substantive" ? "" : page.main.text,
    segments: page.main.segments.slice(0, OPENING_SEGMENTS)
  },
  links: [],
  sections: [{ heading: "", level: 0, anchor: null, path: [], text: "" }],
  viewers: page.viewers.map((viewer) => ({ ...viewer, inline: viewer.inline === null ? null : "" }))
})
