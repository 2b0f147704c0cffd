import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { LARGEST_RESULT, RESULT_FILE } from "../../engine/process/AuditTask.ts"

const MB = 1024 * 1024

/** The part of the interface that is used here: TypeScript has it among what browsers have. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => {
    readonly buffer: ArrayBuffer
  }
}

/** Fills memory that V8's heap limit does not count. */
const keepBuffers = (): void => {
  const kept: Array<Uint8Array> = []
  while (true) kept.push(new Uint8Array(16 * MB).fill(1))
}

const grown: Array<Uint8Array> = []

/** What can become of a process that reads something that was made to bring it down. `harmless` ends well. */
export const Bombs: Readonly<Record<string, (folder: string) => void | Promise<void>>> = {
  harmless: () => undefined,
  // Ends well, and leaves a process that is larger than before.
  grows: () => {
    grown.push(new Uint8Array(200 * MB).fill(1))
  },
  chatter: async () => {
    for (const stream of [process.stdout, process.stderr])
      await new Promise((written) => {
        stream.write("what a library prints\n", written)
      })
  },
  heap: () => {
    const numbers = Array.from({ length: 100_000 }, (_, index) => index + 0.5)
    const kept: Array<Array<number>> = []
    while (true) kept.push([...numbers])
  },
  arrayBuffer: keepBuffers,
  wasm: () => {
    const kept: Array<object> = []
    while (true) {
      const memory = new WebAssembly.Memory({ initial: 256, maximum: 65_536 })
      new Uint8Array(memory.buffer).fill(1)
      kept.push(memory)
    }
  },
  // One allocation that is larger than V8 has a way of refusing: it ends the whole process, other threads included.
  allocation: () => {
    const list: Array<number> = []
    const more = Array.from({ length: 50_000 }, () => 1)
    while (true) list.push(...more)
  },
  regularExpression: () => {
    ;/^(?:a+)+$/.test(`${"a".repeat(60)}b`)
  },
  loop: () => {
    for (;;) Math.sqrt(2)
  },
  recursion: () => {
    const down = (depth: number): number => 1 + down(depth + 1)
    down(0)
  },
  rejection: () => Promise.reject(new Error("an error of ours")),
  // Ends the first process that meets it, and no other.
  once: (folder) => {
    const mark = join(folder, "met")
    if (existsSync(mark)) return
    writeFileSync(mark, "")
    process.exit(7)
  },
  exit: () => process.exit(7),
  fewRequests: () => process.exit(7),
  fewRequestsAndNoEnd: () => new Promise(() => undefined),
  kill: () => {
    process.kill(process.pid, "SIGKILL")
  },
  // Claims a report: one that is too large, and none at all.
  largeResult: (folder) => {
    writeFileSync(join(folder, RESULT_FILE), Buffer.alloc(LARGEST_RESULT + 1, "x"))
  },
  wrongResult: (folder) => {
    writeFileSync(join(folder, RESULT_FILE), '{"encoded":1}')
  },
  nonsense: () => {
    process.send?.({ _tag: "Nonsense" })
  }
}
