import { parentPort } from "node:worker_threads"
import { type DrawCard, makeDrawCard } from "./DrawCard.ts"
import type { ShareCard } from "./ShareCard.ts"

/** The reply to a card: its PNG, or why there is none. */
export type CardAnswer =
  | { readonly _tag: "Drawn"; readonly png: Uint8Array<ArrayBuffer> }
  /** The renderer is not installed, with Node's reason. */
  | { readonly _tag: "NotInstalled"; readonly reason: string }

const drawer: Promise<DrawCard | string> = makeDrawCard().catch((error: unknown) => String(error))

const answer = async (card: ShareCard): Promise<CardAnswer> => {
  const draw = await drawer
  return typeof draw === "string" ? { _tag: "NotInstalled", reason: draw } : { _tag: "Drawn", png: await draw(card) }
}

/** The thread that draws share images: replies to each `ShareCard` with a `CardAnswer`, and dies if a card cannot be drawn. */
parentPort?.on("message", (card: ShareCard) => {
  void answer(card).then((made) => parentPort?.postMessage(made, made._tag === "Drawn" ? [made.png.buffer] : []))
})
