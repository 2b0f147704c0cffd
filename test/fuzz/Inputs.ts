import * as fc from "fast-check"
import { bytesOf, type Recipe, recipeOf } from "./Recipe.ts"
import type { Seeds } from "./Seeds.ts"
import type { FuzzTarget, SeedKind } from "./Target.ts"

/** One input, and who reads it. */
export interface Input {
  readonly target: FuzzTarget
  readonly bytes: () => Uint8Array
}

/** Recipes that are drawn at a time: fast-check takes a while to begin. */
const DRAWN = 64

/**
 * Input number `index` of a seed: always the same for the same seeds and targets. Targets take turns; of its kinds of
 * input each target takes one after the other, and from each the inputs that its own name draws.
 */
export const inputsOf = (
  seed: number,
  targets: ReadonlyArray<FuzzTarget>,
  seeds: Seeds
): ((index: number) => Input) => {
  const drawn = new Map<string, { readonly block: number; readonly recipes: ReadonlyArray<Recipe> }>()
  const recipeAt = (name: string, kind: SeedKind, number: number): Recipe | undefined => {
    const block = Math.floor(number / DRAWN)
    const before = drawn.get(name + kind)
    const now =
      before?.block === block
        ? before
        : {
            block,
            recipes: fc.sample(recipeOf(kind), { seed: hash(`${seed} ${name} ${kind} ${block}`), numRuns: DRAWN })
          }
    drawn.set(name + kind, now)
    return now.recipes[number % DRAWN]
  }
  return (index) => {
    const target = targets[index % targets.length]
    if (target === undefined) throw new Error("there is no target")
    const round = Math.floor(index / targets.length)
    const kind = target.kinds[round % target.kinds.length] ?? target.kinds[0]
    const recipe = recipeAt(target.name, kind, Math.floor(round / target.kinds.length))
    if (recipe === undefined) throw new Error("there is no recipe")
    return { target, bytes: () => bytesOf(recipe, seeds[kind]) }
  }
}

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum | 0
}
