import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import process from "node:process"
import { layerServiceDatabase, sqliteAt } from "../../../engine/store/Database.ts"

/* Holds the SQLite database of a path until it is killed. It tells its parent when it has it. */

process.on("disconnect", () => process.exit())
const told = Layer.effectDiscard(Effect.sync(() => process.send?.("held")))
await Effect.runPromise(Layer.launch(Layer.provide(told, layerServiceDatabase(sqliteAt(process.argv[2] ?? "")))))
