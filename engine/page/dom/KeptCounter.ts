import { attribute, type Element } from "./HtmlTree.ts"

/** What Markdown writes around an element's text, in characters. */
const MARKS: ReadonlyMap<string, number> = new Map([
  ["h1", 2],
  ["h2", 3],
  ["h3", 4],
  ["h4", 5],
  ["h5", 6],
  ["h6", 7],
  ["li", 2],
  ["blockquote", 2],
  ["td", 3],
  ["th", 3],
  ["pre", 8],
  ["code", 2],
  ["strong", 4],
  ["b", 4],
  ["em", 2],
  ["i", 2]
])

/** Of a link or an image `[](…)`, beside its text and its URL. */
const LINK_MARKS = 4

const LONGEST_URL = 2_000

/**
 * Counts what an agent keeps of a page that its tool converts to Markdown as a whole, as the common tools do: every text, hidden ones
 * and menus too, links with their URLs as written, and the marks of Markdown. Scripts, styles and pictures are dropped. Nothing is
 * written: only lengths are of interest.
 */
export class KeptCounter {
  characters = 0
  /** In UTF-8. */
  bytes = 0
  private atBlock = true

  text(value: string): void {
    const text = value.replaceAll(/\s+/g, " ")
    if (text === "" || (text === " " && this.atBlock)) return
    this.atBlock = false
    this.characters += text.length
    this.bytes += Buffer.byteLength(text)
  }

  /** The beginning of an element, which is set apart by an empty line if it is a block. */
  open(element: Element, block: boolean): void {
    if (block && !this.atBlock) {
      this.marks(2)
      this.atBlock = true
    }
    this.marks(MARKS.get(element.name) ?? 0)
    if (element.name === "img") this.image(element)
  }

  /** The end of an element: a link's URL comes after its text. */
  close(element: Element): void {
    if (element.name === "a") this.url(attribute(element, "href"))
  }

  private image(element: Element): void {
    const alt = attribute(element, "alt") ?? ""
    const source = attribute(element, "src") ?? ""
    if (alt === "" || source.startsWith("data:")) return
    this.text(alt)
    this.url(source)
  }

  private url(url: string | null): void {
    if (url === null || url === "") return
    this.marks(LINK_MARKS)
    this.text(url.slice(0, LONGEST_URL))
  }

  private marks(count: number): void {
    this.characters += count
    this.bytes += count
  }
}
