import type { Section } from "../../page/Page.ts"

/** A text of the site, as far as figures are read from it. */
export interface FigureText {
  readonly url: string
  readonly title: string
  readonly sections: ReadonlyArray<Section>
}
