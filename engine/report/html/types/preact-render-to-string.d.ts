import type { VNode } from "preact"

/** The tree as HTML, text and attributes escaped. */
export const render: (node: VNode) => string
