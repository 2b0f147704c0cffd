/*
 * What the pages use of preact. Its own declarations bring those of browsers with them, which would then hold in all of
 * this program, where there is neither `document` nor the browser's `fetch`.
 */

/** A node of the tree that is rendered. */
export interface VNode {
  readonly type: unknown
  readonly props: unknown
  readonly key: unknown
}

export const Fragment: (props: unknown) => unknown

export const h: (type: string | typeof Fragment, props: Readonly<Record<string, unknown>> | null, ...children: ReadonlyArray<unknown>) => VNode
