import { readFileSync } from "node:fs"
import satori, { type Font } from "satori"
import { packageFile } from "../files/PackageFiles.ts"
import { CARD_FONTS, CARD_SIZE, cardElement } from "./CardElement.ts"
import type { ShareCard } from "./ShareCard.ts"

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

/** Draws share images. */
export type DrawCard = (card: ShareCard) => Promise<Uint8Array<ArrayBuffer>>

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
