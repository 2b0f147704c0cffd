/** Advance widths of DejaVu Sans, which are those of Verdana, in thousandths of the font size: U+0020 to U+007E. */
const WIDTHS: ReadonlyArray<number> = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
  748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838
]

/** For letters of other alphabets. */
const OTHER = 640

/** For ideographs, kana, Hangul and emoji. */
const FULL = 1_000
const FIRST_FULL = 0x2e80

/** The width of a text in Verdana, in the unit of the font size. */
export const textWidth = (text: string, size: number): number =>
  (Array.from(text).reduce((sum, character) => sum + widthOf(character.codePointAt(0) ?? 0), 0) * size) / 1_000

const widthOf = (code: number): number => WIDTHS[code - 0x20] ?? (code < FIRST_FULL ? OTHER : FULL)
