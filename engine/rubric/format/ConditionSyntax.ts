import type { ASTNode } from "@marcbachmann/cel-js"

/** How tightly the outermost operator of a condition binds; a part that binds looser than its place allows needs parentheses. */
export const Binding = { choice: 0, or: 1, and: 2, comparison: 3, sum: 4, product: 5, negation: 6, atom: 7 } as const
export type Binding = (typeof Binding)[keyof typeof Binding]

/** The functions whose first argument is a variable for the elements of a list. */
const MACROS: ReadonlySet<string> = new Set(["filter", "all", "exists", "exists_one"])

/** A node of a condition with what its place means for it. */
export interface PlacedNode {
  readonly node: ASTNode
  /** Whether its place wants true or false. */
  readonly isTruth: boolean
  /** It needs parentheses where it binds looser. */
  readonly binding: Binding
  /** The variables of the functions around it. */
  readonly bound: ReadonlyArray<string>
}

export const rootOf = (node: ASTNode): PlacedNode => ({ node, isTruth: true, binding: Binding.choice, bound: [] })

/** Of each operator; everything else is an atom. */
const BINDINGS: ReadonlyMap<ASTNode["op"], Binding> = new Map([
  ["?:", Binding.choice],
  ["||", Binding.or],
  ["&&", Binding.and],
  ["==", Binding.comparison],
  ["!=", Binding.comparison],
  ["<", Binding.comparison],
  ["<=", Binding.comparison],
  [">", Binding.comparison],
  [">=", Binding.comparison],
  ["in", Binding.comparison],
  ["+", Binding.sum],
  ["-", Binding.sum],
  ["*", Binding.product],
  ["/", Binding.product],
  ["%", Binding.product],
  ["!_", Binding.negation],
  ["-_", Binding.negation]
])

/** How tightly a condition binds. */
export const bindingOf = ({ op }: ASTNode): Binding => BINDINGS.get(op) ?? Binding.atom

/** The parts of a node that are read for their values, in the order in which they are written; the variables of functions are left out. */
export const placedParts = ({ bound, isTruth, node }: PlacedNode): ReadonlyArray<PlacedNode> => {
  const part = (node: ASTNode, isTruth: boolean, binding: Binding, more: ReadonlyArray<string> = []): PlacedNode => ({
    node,
    isTruth,
    binding,
    bound: [...bound, ...more]
  })
  if (node.op === "value" || node.op === "id" || node.op === "map") return []
  if (node.op === "." || node.op === ".?") return [part(node.args[0], false, Binding.atom)]
  if (node.op === "!_") return [part(node.args, true, Binding.negation)]
  if (node.op === "-_") return [part(node.args, false, Binding.negation)]
  if (node.op === "&&" || node.op === "||") return node.args.map((each) => part(each, true, bindingOf(node)))
  if (node.op === "?:") {
    const [test, then, otherwise] = node.args
    return [part(test, true, Binding.or), part(then, isTruth, Binding.or), part(otherwise, isTruth, Binding.choice)]
  }
  if (node.op === "list") return node.args.map((each) => part(each, true, Binding.choice))
  if (node.op === "call") return node.args[1].map((each) => part(each, false, Binding.choice))
  if (node.op === "rcall") {
    const [name, list, [variable, test]] = node.args
    const receiver = part(list, false, Binding.atom)
    if (!MACROS.has(name) || variable?.op !== "id" || test === undefined)
      return [receiver, ...node.args[2].map((each) => part(each, false, Binding.choice))]
    return [receiver, part(test, true, Binding.choice, [variable.args])]
  }
  const tighter = bindingOf(node) === Binding.comparison ? Binding.sum : Binding.atom
  return node.args.map((each) => part(each, false, tighter))
}

/** The text of a node with all its parentheses, which the parser leaves out at its edges. */
export const nodeText = ({ end, input, start }: ASTNode): string => input.slice(...balanced(input, start, end))

/** The stretch of a node, made longer until each parenthesis in it has its other half. */
export const balanced = (input: string, start: number, end: number): readonly [start: number, end: number] => {
  const { closing, opening } = unmatched(input.slice(start, end))
  let [from, to] = [start, end]
  for (let left = closing; left > 0; left -= 1) from = input.lastIndexOf("(", from - 1)
  for (let left = opening; left > 0; left -= 1) to = input.indexOf(")", to) + 1
  return from < 0 || to <= 0 ? [start, end] : [from, to]
}

const QUOTED = /"[^"]*"|'[^']*'/gu

const unmatched = (text: string): { readonly closing: number; readonly opening: number } => {
  let closing = 0
  let opening = 0
  for (const character of text.replace(QUOTED, "")) {
    if (character === "(") opening += 1
    if (character === ")" && opening === 0) closing += 1
    else if (character === ")") opening -= 1
  }
  return { closing, opening }
}
