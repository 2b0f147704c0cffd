import { html, type VNode } from "./Html.ts"

/** A button that copies the text of an element, by its id, with `copy.js`; it is not shown where there is no clipboard. `name`: what it is called where its label alone does not say enough. */
export const copyButton = (label: string, source: string, name?: string): VNode =>
  html`<button class="button button-quiet button-small copy no-print" type="button" data-copy=${source} aria-label=${name}>${label}</button>`
