import { plainText } from "../../engine/audit/PlainText.ts"
import { NO_SCORE_COLOUR, scoreColour } from "./ScoreColour.ts"
import { textWidth } from "./TextWidth.ts"

/** What a badge says: the right half and its colour; the left half is the name of the service. */
export interface Badge {
  readonly message: string
  /** `#rrggbb`. */
  readonly colour: string
}

/** Of a finished run: `82 AI-ready`. */
export const scoreBadge = (score: number, max: number, level: string): Badge =>
  ({ message: `${score} ${level}`.trim(), colour: scoreColour(score, max) })

/** Of everything that has no score. */
export const plainBadge = (message: "not audited" | "audit under way" | "audit failed"): Badge => ({ message, colour: NO_SCORE_COLOUR })

const LABEL = "docgauge"
const LABEL_COLOUR = "#555"
const HEIGHT = 20
const SIZE = 11
/** Space before and after each text. */
const PADDING = 6
const LONGEST = 40

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")

/** A text with its shadow in the middle of a half; stretched to the width that it was given, whatever font is there. */
const half = (text: string, left: number, width: number): string => {
  const place = `x="${left + width / 2}" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs"`
  return `<text ${place} y="15" fill="#010101" fill-opacity=".3" aria-hidden="true">${text}</text><text ${place} y="14">${text}</text>`
}

const widthOf = (text: string): number => Math.ceil(textWidth(text, SIZE)) + 2 * PADDING

/** The badge as SVG in the flat shields style, 20 pixels high, without anything that a strict content policy stops. */
export const badgeSvg = ({ colour, message }: Badge): string => {
  const text = plainText(message, LONGEST)
  const [left, right] = [widthOf(LABEL), widthOf(text)]
  const width = left + right
  const told = escaped(`${LABEL}: ${text}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${told}"><title>${told}</title>`
    + `<linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>`
    + `<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3" fill="#fff"/></clipPath>`
    + `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_COLOUR}"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}"/>`
    + `<rect width="${width}" height="${HEIGHT}" fill="url(#s)"/></g>`
    + `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="${SIZE}">${half(LABEL, 0, left)}${half(escaped(text), left, right)}</g></svg>\n`
}
