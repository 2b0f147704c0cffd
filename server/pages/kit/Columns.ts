import { html, type VNode } from "./Html.ts"

/** What a column has room for, by its class in `base.css`; `rest` has what the others leave, and several of them share it. */
export type ColumnKind = "rest" | "rank" | "figure" | "points" | "bar" | "date" | "links" | "status" | "category" | "site"

/**
 * The columns of a table that a browser may show before all of its rows have come: as wide as they are declared, whatever
 * the cells turn out to hold. Stands between the caption and the head. `roomy`: the last so many are left out on a phone.
 */
export const columns = (kinds: ReadonlyArray<ColumnKind>, { roomy = 0 } = {}): VNode => html`
  <colgroup>${kinds.map((kind, index) => html`<col class=${index < kinds.length - roomy ? `col-${kind}` : `col-${kind} roomy`}/>`)}</colgroup>`
