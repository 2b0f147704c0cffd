import { attribute, childrenOf, type Element, isElement, parseHtml } from "../../engine/page/dom/HtmlTree.ts"
import { VERIFICATION_NAME } from "./VerificationToken.ts"

/**
 * Whether the `<head>` of a page has the token in a `<meta>` element. The page is parsed as browsers do, because text that looks like
 * a tag may be data that other people wrote: in a script, a title or an attribute.
 */
export const isInHead = (html: string, token: string): boolean =>
  named(parseHtml(html).children.filter(isElement), "html")
    .flatMap((root) => named(childrenOf(root), "head"))
    .flatMap((head) => named(childrenOf(head), "meta"))
    .some((meta) => attribute(meta, "name")?.trim() === VERIFICATION_NAME && attribute(meta, "content")?.trim() === token)

const named = (elements: ReadonlyArray<Element>, name: string): ReadonlyArray<Element> => elements.filter((element) => element.name === name)
