import { type Content, html } from "./Html.ts"

/** A text of the rubric, in which `backticks` mark code. */
export const codedText = (text: string): Content =>
  text.split(/`([^`]+)`/u).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

/** The same as plain text. */
export const uncoded = (text: string): string => text.replaceAll("`", "")
