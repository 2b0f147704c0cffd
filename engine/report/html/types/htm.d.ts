/** Binds templates to a function that creates nodes; a template with several roots returns a list. */
declare const htm: {
  readonly bind: <Node>(
    h: (type: string, props: Readonly<Record<string, unknown>> | null, ...children: Array<never>) => Node
  ) => (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) => Node | ReadonlyArray<Node>
}

export default htm
