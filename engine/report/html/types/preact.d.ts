/*
 * The part of preact that the pages use. Preact's own declarations include those of browsers, which would declare `document` and
 * the browser's `fetch` for the whole program.
 */

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
