import { setTimeout as pause } from "node:timers/promises"
import { expect, it } from "vitest"
import { inBatches } from "../../engine/process/AuditProcessLoop.ts"
import type { ChildMessage } from "../../engine/process/AuditTask.ts"

it("sends the first step at once, later ones together, and all of them before the end", async () => {
  const sent: Array<ChildMessage> = []
  const tell = inBatches((message) => {
    sent.push(message)
  })
  tell({ _tag: "Requested", count: 1 })
  expect(sent).toEqual([{ _tag: "Requested", count: 1 }])
  tell({ _tag: "Requested", count: 2 })
  tell({ _tag: "Requested", count: 3 })
  tell({ _tag: "Measured", done: 1, total: 30, criteria: ["A1"] })
  tell({ _tag: "Measured", done: 2, total: 30, criteria: ["A1", "A2"] })
  tell({ _tag: "Fetching", urls: ["https://docs.example.com/a"] })
  tell({ _tag: "Fetching", urls: ["https://docs.example.com/b", "https://docs.example.com/a"] })
  expect(sent).toHaveLength(1)
  tell({ _tag: "LargeWanted" })
  expect(sent.slice(1)).toEqual([
    { _tag: "Requested", count: 5 },
    { _tag: "Measured", done: 2, total: 30, criteria: ["A1", "A2"] },
    { _tag: "Fetching", urls: ["https://docs.example.com/b", "https://docs.example.com/a"] },
    { _tag: "LargeWanted" }
  ])
  tell({ _tag: "Requested", count: 4 })
  await pause(250)
  expect(sent.slice(5)).toEqual([{ _tag: "Requested", count: 4 }])
})
