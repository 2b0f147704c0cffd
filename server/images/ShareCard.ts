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
export interface CardCategory {
  readonly title: string
  readonly score: number
  readonly max: number
  /** Whether it applies to the site; it does if missing. */
  readonly applies?: boolean
}
