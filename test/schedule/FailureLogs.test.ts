import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { type Auditor, NotAudited } from "../../engine/schedule/Auditor.ts"
import { temporaryFilesError } from "../../engine/process/TemporaryFiles.ts"
import { awaitDone, idOf, inMemory, notAudited, submit } from "./TestService.ts"

/** The sentence that `docs/operating.md` tells operators to find. */
const OURS = "audit ended with an internal error"

/** The lines that are logged for an audit that ends so, each as its level and message. */
const linesFor = Effect.fnUntraced(function* (audit: Auditor["Service"]["audit"]) {
  const lines: Array<string> = []
  yield* Effect.gen(function* () {
    const id = idOf(yield* submit("docs.example.com"))
    yield* awaitDone(id)
    // A run is over before that is logged.
    while (!lines.some((line) => line.includes(`"run":"${id}"`) && /audit (?:failed|ended)/.test(line)))
      yield* Effect.sleep(10)
  }).pipe(Effect.provide(inMemory({ audit, log: (line) => lines.push(line) })))
  return lines.map((line) => /"level":"(\w+)","message":"([^"]*)"/.exec(line)?.slice(1).join(" ") ?? "")
})

const full = new NotAudited({
  error: temporaryFilesError(Object.assign(new Error("full"), { code: "ENOSPC" })),
  advice: null,
  durationMs: 0,
  bytes: 0,
  archive: null
})

describe("an audit without a report", () => {
  it.live("is logged at error level with one sentence if that is an error of ours", () =>
    Effect.gen(function* () {
      expect(yield* linesFor(() => Effect.fail(full))).toContain(`error ${OURS}: ${full.error.message}`)
      const lines = yield* linesFor(() => Effect.die(new Error("the result of an audit has 1000000000 bytes")))
      expect(lines).toEqual(
        expect.arrayContaining([
          "error the audit failed with a defect",
          `error ${OURS}: The audit failed because of an error in this service.`
        ])
      )
    })
  )

  it.live("is no error if the site is the reason", () =>
    Effect.gen(function* () {
      const lines = yield* linesFor(() => notAudited("unreachable", "Nothing answered."))
      expect(lines).toContain("info audit failed: Nothing answered.")
      expect(lines.filter((line) => line.startsWith("error"))).toEqual([])
    })
  )

  it("is found by operators with that sentence", () =>
    expect(readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8")).toContain(
      `Find \`${OURS}\` in the log`
    ))
})
