import { readingLength } from "../../text/languages/Language.ts"
import type { Container, DomWalk, Segment } from "../dom/DomWalk.ts"
import { type Element, parentOf } from "../dom/HtmlTree.ts"
import type { MainContent, Substance } from "../Page.ts"
import { asksForScripts } from "../dom/Landmarks.ts"

const MAX_CHARACTERS = 1_000_000
const MAX_SEGMENTS = 20_000

/** Where the main content is; `element` is `null` for the whole body. */
interface ChosenContainer extends Omit<Container, "element"> {
  readonly element: Container["element"] | null
}

/** The main content's place in a page, and its blocks. */
export interface ChosenContent {
  readonly container: ChosenContainer
  readonly segments: ReadonlyArray<Segment>
}

const WHOLE_BODY: ChosenContainer = { name: "body", element: null, from: 0, to: Number.POSITIVE_INFINITY }

/** The fullest of the page's content containers, the innermost of equals; the body where it has none, or none but one of several cards. */
export const chooseContent = (walk: DomWalk): ChosenContent => {
  const { containers, segments } = walk
  const sums = [0]
  for (const segment of segments) sums.push((sums.at(-1) ?? 0) + segment.text.length + 1)
  const fullest = (among: ReadonlyArray<Container>): { readonly container: ChosenContainer; readonly size: number } => {
    let chosen: ChosenContainer = WHOLE_BODY
    let most = -1
    for (const container of among) {
      const characters =
        (sums[firstAfter(segments, container.to)] ?? 0) - (sums[firstAfter(segments, container.from - 1)] ?? 0)
      if (characters > most) {
        most = characters
        chosen = container
      }
    }
    return { container: chosen, size: most }
  }
  const first = fullest(containers)
  const isMinor = (size: number): boolean => size * 2 < (sums.at(-1) ?? 0)
  const other = fullest(containers.filter(({ name }) => name !== "article"))
  // Beside its cards, a start page may have a container of a generator with next to nothing in it.
  const around = isMinor(other.size) ? WHOLE_BODY : other.container
  const chosen = isCard(first.container, isMinor(first.size), containers) ? around : first.container
  return {
    container: chosen,
    segments: segments.slice(firstAfter(segments, chosen.from - 1), firstAfter(segments, chosen.to))
  }
}

/** One of several articles beside each other that has less than half of the text, or is inside a link: a card of a start page. */
const isCard = (
  { element, from, name, to }: ChosenContainer,
  isMinor: boolean,
  containers: ReadonlyArray<Container>
): boolean =>
  name === "article" &&
  element !== null &&
  containers.some((other) => other.name === "article" && (other.to < from || other.from > to)) &&
  (isMinor || isInLink(element))

/** How far above a card its link may be. */
const LINK_LEVELS = 3

const isInLink = (element: Element): boolean => {
  let around = parentOf(element)
  for (let level = 0; level < LINK_LEVELS && around !== null; level++) {
    if (around.name === "a") return true
    around = parentOf(around)
  }
  return false
}

/** The index of the first segment that begins after a place in the document's order. */
const firstAfter = (segments: ReadonlyArray<Segment>, order: number): number =>
  countBefore(segments, (segment) => segment.order <= order)

/** Content as the page has it, from its chosen blocks. */
export const mainContent = (content: ChosenContent, visibleCharacters: number): MainContent => {
  const texts = content.segments.map((segment) => segment.text)
  const text = texts.join("\n")
  return {
    container: content.container.name,
    text: text.slice(0, MAX_CHARACTERS),
    characters: text.length,
    offset: content.segments[0]?.offset ?? visibleCharacters,
    segments: texts.slice(0, MAX_SEGMENTS)
  }
}

const BLOCK_CHARACTERS = 20

/**
 * A heading with 20 characters (by `readingLength`) or more under it, before the next one: a list or a table is one block,
 * however short its items and cells are.
 */
export const hasFollowedHeading = (segments: ReadonlyArray<Segment>): boolean => {
  let under = Number.NEGATIVE_INFINITY
  return segments.some(({ isHeading, text }) => {
    under = isHeading ? 0 : under + readingLength(text)
    return under >= BLOCK_CHARACTERS
  })
}

/** How many items come first that `isBefore` holds for, by binary search; it must hold for none after them. */
export const countBefore = <Item>(items: ReadonlyArray<Item>, isBefore: (item: Item) => boolean): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isBefore(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** By `readingLength`: a Chinese, Japanese or Korean text says as much in half of the letters. */
const SUBSTANTIVE_CHARACTERS = 120

const LOADING = /^(?:loading|please wait|initiali[sz]ing|one moment|just a (?:moment|second)|fetching)\b[^\n]{0,60}$/im

/** The same in other languages. */
const FOREIGN_LOADING =
  /^(?:wird geladen|lädt|bitte warten|chargement|veuillez patienter|cargando|carregando|aguarde|загрузка|подождите|読み込み中|ロード中|加载中|正在加载|加載中|로딩 ?중|불러오는 중)[^\n]{0,60}$/im

/**
 * What a page's content amounts to.
 *
 * @param followed any heading in it has a block of 20 characters or more after it.
 * @param mounted scripts of the page may fill what is empty.
 */
export const substanceOf = (main: MainContent, followed: boolean, mounted: boolean): Substance => {
  if (main.characters === 0) return mounted ? "placeholder" : "thin"
  if (isPlaceholder(main)) return "placeholder"
  // The text is cut long after the threshold.
  return main.characters >= SUBSTANTIVE_CHARACTERS || followed || readingLength(main.text) >= SUBSTANTIVE_CHARACTERS
    ? "substantive"
    : "thin"
}

const isPlaceholder = ({ characters, text }: MainContent): boolean =>
  (characters <= 200 && (LOADING.test(text.slice(0, 200)) || FOREIGN_LOADING.test(text.slice(0, 200)))) ||
  asksForScripts(text)
