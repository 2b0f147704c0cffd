/** What a share image shows of a run: plain data, so that it can be posted to the thread that draws. */
export interface ShareCard {
  /** The audited site as people write it, such as `docs.example.com/v2`. */
  readonly site: string
  readonly state: CardState
}

/** How far the run has come. */
export type CardState =
  | {
    readonly _tag: "Done"
    readonly score: number
    readonly max: number
    /** The level in words, such as `AI-ready`. */
    readonly level: string
    /** `YYYY-MM-DD`. */
    readonly date: string
    /** In the order of the rubric. */
    readonly categories: ReadonlyArray<CardCategory>
  }
  | { readonly _tag: "UnderWay" }
  | { readonly _tag: "Failed" }

/** The points of a category. */
export interface CardCategory {
  readonly title: string
  readonly score: number
  readonly max: number
}
