/** For an unknown score. */
export const NO_SCORE_COLOUR = "#5f6670"

/**
 * Colours by minimum share of the points. White text on each of them, and each of them on white, has a contrast of at least 4.5.
 */
const BANDS: ReadonlyArray<readonly [from: number, colour: string]> = [
  [0.9, "#1a7f37"],
  [0.75, "#4d7c0f"],
  [0.5, "#8a6100"],
  [0.3, "#b4520a"],
  [0, "#b42318"]
]

/** The colour of a score, as `#rrggbb`. */
export const scoreColour = (score: number, max: number): string =>
  BANDS.find(([from]) => max > 0 && score / max >= from)?.[1] ?? NO_SCORE_COLOUR
