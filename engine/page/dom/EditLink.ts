import { attribute, contentOf, type Element, isText, parentOf } from "./HtmlTree.ts"

/** Where a repository's host edits a file. */
const EDITED = /^https?:\/\/[^/]{1,200}\/[^?#]{1,500}\/_?edit\/[^?#]|[?&]mode=edit(?:&|$)/i

/** Where a repository's host shows a file: a link there is for editors if it says so. */
const SHOWN = /^https?:\/\/[^/]{1,200}\/[^?#]{1,500}\/(?:blob|tree|src|raw)\/[^?#]/i

const EDIT =
  /^[^\p{L}]*(?:edit|improve|suggest|editar|modifier|modifica|bearbeiten|redigera|edytuj|редактировать|编辑|編輯|編集|편집)(?:$|[^\p{L}]|\p{Lo})/iu

/** How many siblings are looked at. */
const SIBLINGS = 50

/** A link to edit the page that is alone in its block: it is on every page, and for the page's authors. */
export const isEditLink = (element: Element): boolean => {
  if (element.name !== "a") return false
  const href = (attribute(element, "href") ?? "").trim().slice(0, 1_000)
  if (!EDITED.test(href) && !(SHOWN.test(href) && EDIT.test(contentOf(element, 100).trim()))) return false
  const parent = parentOf(element)
  return (
    parent === null ||
    parent.children.slice(0, SIBLINGS).every((beside) => !isText(beside) || !/[\p{L}\p{N}]/u.test(beside.data))
  )
}
