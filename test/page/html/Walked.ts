import { type DomWalk, readTree } from "../../../engine/page/dom/DomWalk.ts"
import { type ChosenContent, chooseContent } from "../../../engine/page/html/MainContentReader.ts"

/** The walk over a page with this body and head. */
export const walked = (body: string, head = ""): DomWalk =>
  readTree(`<!doctype html><html lang=en><head>${head}</head><body>${body}</body></html>`).walk

/** The same with its main content. */
export const walkedContent = (body: string): { readonly walk: DomWalk; readonly content: ChosenContent } => {
  const walk = walked(body)
  return { walk, content: chooseContent(walk) }
}
