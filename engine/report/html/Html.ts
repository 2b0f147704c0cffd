import htm from "htm"
import { Fragment, h, type VNode } from "preact"
import { render } from "preact-render-to-string"

export type { VNode } from "preact"

/** The content of an element: nodes, text, numbers, lists of them, or nothing. */
export type Content = VNode | string | number | boolean | null | undefined | ReadonlyArray<Content>

/** A value in a template: content, or the value of an attribute. */
type TemplateValue = Content | Readonly<Record<string, string | number | boolean | null | undefined>>

const template = htm.bind<VNode>((type, props, ...children) => h(type, props, ...children))

/**
 * A template of HTML: html`<p class=${name}>${text}</p>`. All values are escaped as text or attribute values; entities in the
 * template itself are not decoded. Elements without content end in `/>`.
 */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<TemplateValue>): VNode => {
  const made = template(strings, ...values)
  return isList(made) ? h(Fragment, null, ...made) : made
}

const isList = (made: VNode | ReadonlyArray<VNode>): made is ReadonlyArray<VNode> => Array.isArray(made)

export const renderPage = (page: VNode): string => `<!doctype html>\n${render(page)}\n`
