import process from "node:process"

/**
 * Ends the process although one of its threads does not end. `process.exit` waits for threads, and one that is inside
 * native code (a long `JSON.parse`, a blocking read) takes notice only when that returns. Replacing the process by a Node
 * that does nothing but exit needs no thread's consent and keeps the exit code; where the system cannot do that (Windows),
 * the process is killed.
 */
export const hardExit = (code: number): void => {
  try {
    process.execve?.(process.execPath, [process.execPath, "--eval", `process.exitCode = ${code}`], {})
  } finally {
    process.kill(process.pid, "SIGKILL")
  }
}
