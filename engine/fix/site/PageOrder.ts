import { isReferenceAddress } from "../../page/Page.ts"
import { speaksOfOwner } from "../../site/address/PageUrl.ts"

const ASIDE =
  /\/(?:news|community|contribut\w{0,20}|contact(?:-us)?|about(?:-us)?|imprint|impressum|licen[cs]es?|code[-_]of[-_]conduct|careers|sponsors?|team|credits|brand(?:ing)?)(?:\/|\.\w{2,8}$|$)/i

const ASIDE_TITLE =
  /^(?:blog|news|community|contribut\w{0,20}|contact(?: us)?|imprint|impressum|legal(?: notice)?|privacy(?: policy)?|terms(?: (?:of|and) [\w ]{1,30})?|licen[cs]es?|code of conduct|press|careers)$/i

/** A page about the people, the news or the law of a product, not about how to use it: an API may have customers and teams, too. */
export const isAside = ({ title, url }: { readonly title: string; readonly url: string }): boolean =>
  (!isReferenceAddress(url) && (speaksOfOwner(url) || ASIDE.test(new URL(url).pathname))) || ASIDE_TITLE.test(title)

/** What somebody who uses the product needs first, in that order. */
const PRODUCT: ReadonlyArray<RegExp> = [
  /\b(?:quick-?\s?start|getting[-\s]started|get[-\s]started|first[-\s]steps|introduction|overview|install(?:ation)?)\b/i,
  /\b(?:auth(?:entication|orization)?|api[-\s]keys?|credentials)\b/i,
  /\b(?:api|reference|endpoints?|rest)\b/i,
  /\b(?:errors?|status[-\s]codes)\b/i,
  /\b(?:rate[-\s]limit(?:s|ing)?|limits|quotas?|pagination)\b/i,
  /\b(?:guides?|tutorials?|how[-\s]to|usage)\b/i
]

/** The place of a page among those that somebody needs first; `PRODUCT.length` for others. */
export const productPlace = ({ title, url }: { readonly title: string; readonly url: string }): number => {
  const words = `${title} ${new URL(url).pathname.split("/").at(-1) || new URL(url).pathname.split("/").at(-2) || ""}`
  const place = PRODUCT.findIndex((pattern) => pattern.test(words))
  return place === -1 ? PRODUCT.length : place
}
