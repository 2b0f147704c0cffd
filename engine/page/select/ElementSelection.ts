/** An element as it is written. */
export interface SelectedElement {
  /** In lower case. */
  readonly tag: string
  /** By name in lower case, at most 50, each value at most 2 000 characters. */
  readonly attributes: Readonly<Record<string, string>>
  /** Its text as a reader sees it, that of a script as written; at most 2 000 characters, white space collapsed. */
  readonly text: string
}

/** The elements of a page that a selector selects. */
export interface ElementSelection {
  /** In document order, at most 500; none where the page is no HTML. */
  readonly elements: ReadonlyArray<SelectedElement>
  /** The page may have more of them: it has more than 500, or could not be read to its end. */
  readonly cut: boolean
}
