/**
 * The one palette of levels, for pages, badges and images; `base.css` has the same colours, and others for dark pages. White
 * text on each of them, and each of them on white, has a contrast of at least 4.5. Levels are those of the released rubric, by
 * their share of the points, best first.
 */
export const LEVELS = [
  { name: "level-5", from: 0.9, colour: "#1a7f37" },
  { name: "level-4", from: 0.75, colour: "#4d7c0f" },
  { name: "level-3", from: 0.5, colour: "#8a6100" },
  { name: "level-2", from: 0.3, colour: "#b4520a" },
  { name: "level-1", from: 0, colour: "#b42318" }
] as const

/** For a score that is not known, or not reliable. */
export const NO_LEVEL = { name: "level-none", colour: "#5f6670" } as const

const levelFor = (score: number, max: number): (typeof LEVELS)[number] | typeof NO_LEVEL =>
  LEVELS.find(({ from }) => max > 0 && score / max >= from) ?? NO_LEVEL

/** The colour of a score, as `#rrggbb`. */
export const scoreColour = (score: number, max: number): string => levelFor(score, max).colour

/** The class that gives a text on a page the same colour. */
export const levelClass = (score: number, max: number, isReliable: boolean): string =>
  (isReliable ? levelFor(score, max) : NO_LEVEL).name
