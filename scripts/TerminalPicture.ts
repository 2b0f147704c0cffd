/** Text with the ANSI codes of `cli/render/Style.ts` as an SVG that looks like a terminal. */

interface Look {
  readonly columns: number
  readonly scheme: keyof typeof COLOURS
}

/** Pixels of a character, of a line and around all. */
const WIDTH = 8
const HEIGHT = 18
const MARGIN = 16

const COLOURS = {
  light: {
    background: "#f6f8fa",
    border: "#d0d7de",
    text: "#1f2328",
    dim: "#59636e",
    green: "#1a7f37",
    yellow: "#9a6700",
    red: "#d1242f"
  },
  dark: {
    background: "#0d1117",
    border: "#3d444d",
    text: "#e6edf3",
    dim: "#9198a1",
    green: "#3fb950",
    yellow: "#d29922",
    red: "#f85149"
  }
} as const

/** The colours of ANSI codes; 1 is bold, and any other code ends all styles. */
const ANSI: Readonly<Record<string, keyof typeof COLOURS.light>> = { 2: "dim", 31: "red", 32: "green", 33: "yellow" }

const FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** Words in one style, and the column where they begin. */
interface Run {
  readonly text: string
  readonly column: number
  readonly colour: keyof typeof COLOURS.light
  readonly isBold: boolean
}

const ESCAPE = String.fromCodePoint(27)

/** Two spaces end a run, because SVG draws them as one. */
const runsOf = (line: string): ReadonlyArray<Run> => {
  let style: Pick<Run, "colour" | "isBold"> = { colour: "text", isBold: false }
  let column = 0
  return `${ESCAPE}[0m${line}`.split(`${ESCAPE}[`).flatMap((part) => {
    const [, code = "", text = ""] = /^(\d+)m(.*)$/.exec(part) ?? []
    const { [code]: colour } = ANSI
    style =
      code === "1"
        ? { ...style, isBold: true }
        : colour === undefined
          ? { colour: "text", isBold: false }
          : { ...style, colour }
    const runs = [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => ({
      text: words,
      column: column + index,
      ...style
    }))
    column += text.length
    return runs
  })
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** The length is given, because some fonts give the characters of bars another width. */
const runText = ({ colour, column, isBold, text }: Run, row: number, scheme: Look["scheme"]): string =>
  `<text x="${MARGIN + column * WIDTH}" y="${MARGIN + row * HEIGHT + 13}" textLength="${text.length * WIDTH}" lengthAdjust="spacingAndGlyphs" fill="${COLOURS[scheme][colour]}"${isBold ? ' font-weight="bold"' : ""}>${escaped(text)}</text>`

export const terminalPicture = (lines: ReadonlyArray<string>, { columns, scheme }: Look): string => {
  const { background, border } = COLOURS[scheme]
  const [width, height] = [columns * WIDTH + 2 * MARGIN, lines.length * HEIGHT + 2 * MARGIN]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${FONTS}" font-size="13">`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${background}" stroke="${border}"/>`,
    ...lines.flatMap((line, row) => runsOf(line).map((run) => runText(run, row, scheme))),
    "</svg>",
    ""
  ].join("\n")
}
