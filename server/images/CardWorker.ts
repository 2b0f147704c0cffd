import { readFileSync } from "node:fs"
import { parentPort } from "node:worker_threads"
import satori, { type Font } from "satori"
import { plainText } from "../../engine/text/PlainText.ts"
import { shownName } from "../../engine/text/ShownName.ts"
import { packageFile } from "../files/PackageFiles.ts"
import { NO_LEVEL, scoreColour } from "../../engine/report/html/LevelColour.ts"

/** The content of a share image: plain data, so that it can be posted to the drawing thread. */
export interface ShareCard {
  /** The audited site without its scheme, such as `docs.example.com/v2`. */
  readonly site: string
  readonly state: CardState
}

export type CardState = FinishedState | { readonly _tag: "UnderWay" } | { readonly _tag: "Failed" }

/** A finished run. */
export interface FinishedState {
  readonly _tag: "Done"
  readonly score: number
  readonly max: number
  /** Whether the score can be relied on. */
  readonly reliable: boolean
  /** The level in words, such as `AI-ready`. */
  readonly level: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** In the order of the rubric. */
  readonly categories: ReadonlyArray<CardCategory>
}

/** The points of a category. */
interface CardCategory {
  readonly title: string
  readonly score: number
  readonly max: number
  /** Whether it applies to the site; it does if missing. */
  readonly applies?: boolean
}

/** The reply to a card: its PNG, or why there is none. */
export type CardAnswer =
  | { readonly _tag: "Drawn"; readonly png: Uint8Array<ArrayBuffer> }
  /** The renderer is not installed, with Node's reason. */
  | { readonly _tag: "NotInstalled"; readonly reason: string }

/** The files of each font in `CARD_FONTS`, by weight. */
const FILES: ReadonlyArray<Readonly<Record<400 | 600, string>>> = [
  { 400: "inter-400.woff", 600: "inter-600.woff" },
  { 400: "inter-latin-ext-400.woff", 600: "inter-latin-ext-600.woff" }
]

const readFont = (file: string): Buffer => {
  const path = packageFile(file)
  if (path === null) throw new Error(`the font ${file} is missing`)
  return readFileSync(path)
}

const readFonts = (): Array<Font> =>
  CARD_FONTS.flatMap((name, index) =>
    ([400, 600] as const).map((weight) => ({
      name,
      data: readFont(FILES[index]?.[weight] ?? ""),
      weight,
      style: "normal" as const
    }))
  )

type DrawCard = (card: ShareCard) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Loads the renderer; rejects if `@resvg/resvg-js`, an optional native package, is not installed. Drawing takes tens of
 * milliseconds of CPU time and uses neither network nor files; characters that no font has are drawn as boxes.
 */
export const makeDrawCard = async (): Promise<DrawCard> => {
  const { Resvg } = await import("@resvg/resvg-js")
  const fonts = readFonts()
  return async (card) => {
    const svg = await satori(cardElement(card), {
      ...CARD_SIZE,
      fonts,
      // Called for emoji and for scripts that no font has: there are no other fonts, and nothing is fetched.
      loadAdditionalAsset: () => Promise.resolve([])
    })
    return new Uint8Array(new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: "off" }).render().asPng())
  }
}

/** Width and height of share images in pixels, as link previews expect. */
const CARD_SIZE = { width: 1200, height: 630 } as const

/** The names of the fonts, in fallback order. */
const CARD_FONTS = ["Inter", "Inter Extended"] as const

/** An element for satori: its children are elements, text, or nothing. */
interface CardElement {
  readonly type: "div"
  readonly props: {
    readonly style: Style
    readonly children?: string | ReadonlyArray<CardElement>
  }
}

type Style = Readonly<Record<string, string | number>>

/** The colours of the pages' light theme. */
const [INK, MUTED, TRACK, BAR_COLOUR, PAPER] = ["#1b1b19", "#55544f", "#deddd8", "#1d4ed8", "#fdfdfc"]
const BOLD = 600
const WARNING = "#8a5300"
const LOOKALIKE = "lookalike name: its letters look like those of another"
const MARGIN = 72
const INNER = CARD_SIZE.width - 2 * MARGIN

/** Characters of a URL that fit on two lines. */
const LONGEST_SITE = 66
const LONGEST_TITLE = 22
const LONGEST_LEVEL = 20
const MOST_CATEGORIES = 6

const box = (style: Style, ...children: ReadonlyArray<CardElement>): CardElement => ({
  type: "div",
  props: { style: { display: "flex", ...style }, children }
})

/** One line, truncated if it does not fit. */
const line = (text: string, style: Style): CardElement => ({
  type: "div",
  props: { style: { display: "flex", whiteSpace: "nowrap", overflow: "hidden", ...style }, children: text }
})

/** A share image as elements. All text is sanitised and truncated, so that untrusted text cannot break the layout. */
export const cardElement = ({ site, state }: ShareCard): CardElement =>
  box(
    {
      ...CARD_SIZE,
      boxSizing: "border-box",
      flexDirection: "column",
      justifyContent: "space-between",
      padding: `52px ${MARGIN}px`,
      backgroundColor: PAPER,
      color: INK,
      fontFamily: CARD_FONTS.join(", ")
    },
    box(
      { width: INNER, justifyContent: "space-between", fontSize: 28, color: MUTED },
      line("docgauge", { fontWeight: BOLD, color: INK }),
      line(state._tag === "Done" ? plainText(state.date, 10) : "", {})
    ),
    siteName(site),
    box({ width: INNER, height: 330, justifyContent: "space-between", alignItems: "center" }, ...stateElements(state))
  )

/** Latin letters, which the fonts have; others are shown encoded, because they would be boxes. */
const DRAWABLE = /^[\u0020-\u024f\u1e00-\u1eff\u2026]*$/

/** At most two lines, broken anywhere, in a smaller font for longer text, with a flag if it looks like another name. */
const siteName = (site: string): CardElement => {
  const { isLookalike, text } = shownName(site, LONGEST_SITE)
  const shown = DRAWABLE.test(text) ? text : plainText(site, LONGEST_SITE)
  const name: CardElement = {
    type: "div",
    props: {
      style: {
        display: "block",
        width: INNER,
        fontSize: shown.length > 34 ? 44 : 56,
        fontWeight: BOLD,
        lineHeight: 1.2,
        wordBreak: "break-all",
        lineClamp: 2
      },
      children: shown
    }
  }
  return isLookalike
    ? box(
        { flexDirection: "column", width: INNER },
        name,
        line(LOOKALIKE, { fontSize: 26, fontWeight: BOLD, color: WARNING })
      )
    : name
}

const stateElements = (state: CardState): ReadonlyArray<CardElement> => {
  if (state._tag === "Done")
    return [
      scoreElement(state),
      box({ flexDirection: "column" }, ...state.categories.slice(0, MOST_CATEGORIES).map(categoryElement))
    ]
  const text = state._tag === "Failed" ? "The audit failed" : "The audit is running"
  return [line(text, { width: INNER, fontSize: 52, color: NO_LEVEL.colour })]
}

const scoreElement = ({ level, max, reliable, score }: FinishedState): CardElement => {
  const color = reliable ? scoreColour(score, max) : NO_LEVEL.colour
  return box(
    { width: 450, flexDirection: "column" },
    ...(reliable ? [] : [line("at least", { fontSize: 36, color: MUTED })]),
    box(
      { alignItems: "flex-end", fontWeight: BOLD },
      line(String(score), {
        fontSize: 190,
        lineHeight: 1,
        color,
        letterSpacing: -6,
        marginLeft: -6,
        overflow: "visible"
      }),
      line(`/${max}`, { fontSize: 52, color: MUTED, fontWeight: 400, marginLeft: 12, marginBottom: 22 })
    ),
    line(reliable ? plainText(level, LONGEST_LEVEL) : "not reliable", {
      width: 450,
      height: 62,
      alignItems: "center",
      fontSize: 46,
      fontWeight: BOLD,
      color,
      marginTop: 14
    })
  )
}

const BAR = 240

const categoryElement = ({ applies = true, max, score, title }: CardCategory): CardElement =>
  box(
    { height: 55, alignItems: "center", fontSize: 26 },
    line(plainText(title, LONGEST_TITLE), { width: 220, marginRight: 10 }),
    applies ? bar(score, max) : line("does not apply", { width: BAR, color: MUTED }),
    line(`${applies ? score : "–"}/${max}`, { width: 100, justifyContent: "flex-end", color: MUTED })
  )

const bar = (score: number, max: number): CardElement =>
  box(
    { width: BAR, height: 18, borderRadius: 9, backgroundColor: TRACK },
    box({
      width: max > 0 ? Math.round(BAR * Math.min(1, score / max)) : 0,
      height: 18,
      borderRadius: 9,
      backgroundColor: BAR_COLOUR
    })
  )

const drawer: Promise<DrawCard | string> = makeDrawCard().catch((error: unknown) => String(error))

const answer = async (card: ShareCard): Promise<CardAnswer> => {
  const draw = await drawer
  return typeof draw === "string" ? { _tag: "NotInstalled", reason: draw } : { _tag: "Drawn", png: await draw(card) }
}

/** The thread that draws share images: replies to each `ShareCard` with a `CardAnswer`, and dies if a card cannot be drawn. */
parentPort?.on("message", (card: ShareCard) => {
  void answer(card).then((made) => parentPort?.postMessage(made, made._tag === "Drawn" ? [made.png.buffer] : []))
})
