import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HttpRouter } from "effect/http"
import { expect, it } from "vitest"
import { ArchiveSpace } from "../../../engine/store/archives/ArchiveSpace.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { operatorRoutes } from "../../../server/http/handlers/OperatorRoutes.ts"
import { Exposition } from "../../../server/observe/Metrics.ts"

it("/healthz is 503 within seconds while a statement that cannot be interrupted has no end, which is not asked a second time", async () => {
  let asked = 0
  const stalled = Layer.mock(RunStore)({
    ping: Effect.uninterruptible(
      Effect.suspend(() => {
        asked++
        return Effect.never
      })
    )
  })
  const routes = operatorRoutes.pipe(
    Layer.provide([stalled, ArchiveSpace.layerOff, Layer.succeed(Exposition, { text: Effect.succeed("") })])
  )
  const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })
  const status = async (): Promise<number> => (await handler(new Request("http://localhost/healthz"))).status
  const before = performance.now()
  expect(await status()).toBe(503)
  expect(performance.now() - before).toBeLessThan(10_000)
  await expect
    .poll(
      async () => {
        const one = await status()
        return [one, performance.now() - before > 4_000]
      },
      { interval: 200 }
    )
    .toEqual([503, true])
  expect(asked).toBe(1)
  await dispose()
})

it("/healthz asks again after a statement that could be interrupted did not end", async () => {
  let asked = 0
  const stalled = Layer.mock(RunStore)({ ping: Effect.suspend(() => (asked++ === 0 ? Effect.never : Effect.void)) })
  const routes = operatorRoutes.pipe(
    Layer.provide([stalled, ArchiveSpace.layerOff, Layer.succeed(Exposition, { text: Effect.succeed("") })])
  )
  const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })
  const status = async (): Promise<number> => (await handler(new Request("http://localhost/healthz"))).status
  expect(await status()).toBe(503)
  await expect.poll(status, { interval: 200 }).toBe(200)
  await dispose()
})
