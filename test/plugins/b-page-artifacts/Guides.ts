import type { FakeSite } from "../../../engine/testing/FakeSite.ts"

/** A small documentation in HTML and Markdown, for the cases of category B. */
export interface Guide {
  readonly path: string
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
}

const guide = (path: string, title: string, ...paragraphs: ReadonlyArray<string>): Guide => ({
  path,
  title,
  paragraphs
})

export const guides: ReadonlyArray<Guide> = [
  guide(
    "/",
    "Parcel documentation",
    "Parcel moves boxes between warehouses and tells you where each of them stands.",
    "Begin with the first shipment, then read how keys are made."
  ),
  guide(
    "/start",
    "First shipment",
    "A shipment needs an origin, a destination and at least one box with its weight.",
    "Weights are given in grams, lengths in millimetres, and never mixed."
  ),
  guide(
    "/keys",
    "Making keys",
    "Every key belongs to one warehouse and carries the rights of whoever made it.",
    "A key that nobody used for ninety days is put to sleep until its owner wakes it."
  ),
  guide(
    "/tracking",
    "Following a box",
    "Boxes report their place whenever a gate reads their label.",
    "Ask for the history to see all gates, the newest first, with their time zones."
  ),
  guide(
    "/returns",
    "Sending boxes back",
    "Returns are shipments with the roles of both warehouses swapped.",
    "The fee of a return is settled when the box arrives, not when it leaves."
  )
]

/** The page as HTML; `head` goes into the head, `after` below the text. */
export const html = ({ paragraphs, title }: Guide, head = "", after = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>` +
  `<nav>${guides.map(({ path, title }) => `<a href="${path}">${title}</a>`).join("")}</nav>` +
  `<main><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("")}${after}</main></body></html>`

/** Its Markdown; that of the start page names the index of all pages. */
export const markdown = ({ paragraphs, path, title }: Guide): string =>
  `# ${title}\n\n${paragraphs.join("\n\n")}\n${path === "/" ? "\nAll pages: /llms.txt\n" : ""}`

/** Markdown that leads nowhere: it speaks of llms.txt, and does not say where it is. */
export const deadEnd = (guide: Guide): string =>
  markdown(guide).replace("All pages: /llms.txt", "We have an llms.txt, too.")

/** The URL of a guide's Markdown version. */
export const versionPath = ({ path }: Guide): string => (path === "/" ? "/index.md" : `${path}.md`)

/** All guides, each as `render` has it. */
export const siteOf = (render: (guide: Guide) => FakeSite[string]): FakeSite =>
  Object.fromEntries(guides.map((guide) => [guide.path, render(guide)]))

/** MarkdownVersions of the first `many` guides, each as `render` has it. */
export const versionsOf = (many: number, render: (guide: Guide) => FakeSite[string] = markdown): FakeSite =>
  Object.fromEntries(guides.slice(0, many).map((guide) => [versionPath(guide), render(guide)]))
