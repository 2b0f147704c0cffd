import { spawnSync } from "node:child_process"
import process from "node:process"
import { expect, it } from "vitest"
import { V8_FLAGS } from "../../engine/process/AuditProcess.ts"

/** Tells the heap limit that V8 has for a thread whose old generation may take 80 MB. */
const TELLING = `
  const { Worker } = require("node:worker_threads")
  const telling = 'require("node:worker_threads").parentPort.postMessage(require("node:v8").getHeapStatistics().heap_size_limit)'
  new Worker(telling, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 80 } }).on("message", (bytes) => console.log(bytes))`

it("the threads of an audit process keep their own limits of memory, so that one that is full ends alone", () => {
  const { stdout } = spawnSync(process.execPath, [...V8_FLAGS, "-e", TELLING], { encoding: "utf8" })
  expect(Number(stdout) / 1e6).toBeGreaterThan(80)
  expect(Number(stdout) / 1e6).toBeLessThan(160)
})
