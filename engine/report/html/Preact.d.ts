/*
 * The part of preact that the pages use. Preact's own declarations include those of browsers, which would declare `document` and
 * the browser's `fetch` for the whole program. `paths` of tsconfig.json leads here in their place.
 */

declare module "preact" {
  /** A node of the tree that is rendered. */
  export interface VNode {
    readonly type: unknown
    readonly props: unknown
    readonly key: unknown
  }

  export const Fragment: (props: unknown) => unknown

  export const h: (
    type: string | typeof Fragment,
    props: Readonly<Record<string, unknown>> | null,
    ...children: ReadonlyArray<unknown>
  ) => VNode
}

declare module "htm" {
  /** Binds templates to a function that creates nodes; a template with several roots returns a list. */
  const htm: {
    readonly bind: <Node>(
      h: (type: string, props: Readonly<Record<string, unknown>> | null, ...children: Array<never>) => Node
    ) => (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) => Node | ReadonlyArray<Node>
  }

  export default htm
}

declare module "preact-render-to-string" {
  import type { VNode } from "preact"

  /** The tree as HTML, text and attributes escaped. */
  export const render: (node: VNode) => string
}
