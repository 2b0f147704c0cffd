/** Binds templates to what makes nodes; a template with several roots gives a list. */
declare const htm: {
  readonly bind: <Node>(h: (type: string, props: Readonly<Record<string, unknown>> | null, ...children: Array<never>) => Node) =>
    (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) => Node | ReadonlyArray<Node>
}

export default htm
