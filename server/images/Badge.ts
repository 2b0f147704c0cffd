import { escapeMarkup } from "../../engine/text/MarkupText.ts"
import { scoreWords } from "../../engine/criterion/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { NO_LEVEL, scoreColour } from "./LevelColour.ts"
import type { FinishedState } from "./ShareCard.ts"
import { textWidth } from "./TextWidth.ts"

/** The text and colour of a badge's right half; the left half is the name of the service. */
export interface Badge {
  readonly message: string
  /** `#rrggbb`. */
  readonly colour: string
}

/** For a finished run: `82/100 AI-ready`; without a level and a colour if it is not reliable: `at least 43, not reliable`. */
export const scoreBadge = ({ level, max, reliable, score }: FinishedState): Badge =>
  reliable
    ? { message: `${score}/${max} ${level}`.trim(), colour: scoreColour(score, max) }
    : { message: `${scoreWords(score, false)}, not reliable`, colour: NO_LEVEL.colour }

/** For anything without a score. */
export const plainBadge = (message: "not audited" | "audit running" | "audit failed"): Badge => ({
  message,
  colour: NO_LEVEL.colour
})

const LABEL = "docgauge"
const LABEL_COLOUR = "#555"
const HEIGHT = 20
const SIZE = 11
/** Space before and after each text. */
const PADDING = 6
const LONGEST = 40

/** A text with its shadow, centred in a half and stretched to the given width, whatever font is available. */
const half = (text: string, left: number, width: number): string => {
  const place = `x="${left + width / 2}" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs"`
  return `<text ${place} y="15" fill="#010101" fill-opacity=".3" aria-hidden="true">${text}</text><text ${place} y="14">${text}</text>`
}

const widthOf = (text: string): number => Math.ceil(textWidth(text, SIZE)) + 2 * PADDING

/**
 * The badge as SVG in the flat style of shields.io, 20 pixels high, without anything that a strict content security policy
 * blocks.
 */
export const badgeSvg = ({ colour, message }: Badge): string => {
  const text = plainText(message, LONGEST)
  const [left, right] = [widthOf(LABEL), widthOf(text)]
  const width = left + right
  const told = escapeMarkup(`${LABEL}: ${text}`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${told}"><title>${told}</title>` +
    `<linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>` +
    `<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3" fill="#fff"/></clipPath>` +
    `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_COLOUR}"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}"/>` +
    `<rect width="${width}" height="${HEIGHT}" fill="url(#s)"/></g>` +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="${SIZE}">${half(LABEL, 0, left)}${half(escapeMarkup(text), left, right)}</g></svg>\n`
  )
}
