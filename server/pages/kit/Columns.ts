import { html, type VNode } from "./Html.ts"

/** The width class of a column in `base.css`; `rest` columns share the remaining width. */
export type ColumnKind =
  | "rest"
  | "rank"
  | "figure"
  | "points"
  | "bar"
  | "date"
  | "links"
  | "status"
  | "category"
  | "site"

/**
 * The declared column widths of a table, so that a browser can render it before all rows have arrived. Belongs between the
 * caption and the head. `roomy`: how many of the last columns are hidden on a phone.
 */
export const columns = (kinds: ReadonlyArray<ColumnKind>, { roomy = 0 } = {}): VNode => html`
  <colgroup>${kinds.map((kind, index) => html`<col class=${index < kinds.length - roomy ? `col-${kind}` : `col-${kind} roomy`}/>`)}</colgroup>`
