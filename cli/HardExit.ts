import process from "node:process"

/**
 * Ends the process even if one of its threads does not end. `process.exit` waits for threads, and a thread inside native code (a
 * long `JSON.parse`, a blocking read) ends only when that returns. So the process is replaced (`execve`) by a Node that only
 * exits, which keeps the exit code; where that is not supported (Windows), the process is killed.
 */
export const hardExit = (code: number): void => {
  try {
    process.execve?.(process.execPath, [process.execPath, "--eval", `process.exitCode = ${code}`], {})
  } finally {
    process.kill(process.pid, "SIGKILL")
  }
}
