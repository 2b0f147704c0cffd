import { parentPort } from "node:worker_threads"
import { type DrawCard, makeDrawCard } from "./DrawCard.ts"
import type { ShareCard } from "./ShareCard.ts"

/** The answer to a card: its PNG, or why there is none. */
export type CardAnswer =
  | { readonly _tag: "Drawn"; readonly png: Uint8Array<ArrayBuffer> }
  /** What draws is not installed, and the reason that Node gives. */
  | { readonly _tag: "NotInstalled"; readonly reason: string }

const drawer: Promise<DrawCard | string> = makeDrawCard().catch((error: unknown) => String(error))

const answer = async (card: ShareCard): Promise<CardAnswer> => {
  const draw = await drawer
  return typeof draw === "string" ? { _tag: "NotInstalled", reason: draw } : { _tag: "Drawn", png: await draw(card) }
}

/** The thread that draws share images: answers each `ShareCard` with a `CardAnswer`, and ends by what it cannot draw. */
parentPort?.on("message", (card: ShareCard) => {
  void answer(card).then((made) => parentPort?.postMessage(made, made._tag === "Drawn" ? [made.png.buffer] : []))
})
