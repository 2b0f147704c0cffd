import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import process from "node:process"

/*
 * Installs what test/package.json names, unless it is there already: a browser's driver, and programs and servers of others that only the long
 * tests, the screenshots and a benchmark use. `npm ci` of the whole project leaves it out.
 */

const FOLDER = resolve(import.meta.dirname, "../test")

/** The lock file of what is installed. */
const INSTALLED = resolve(FOLDER, "node_modules/.installed-lock.json")

const lock = readFileSync(resolve(FOLDER, "package-lock.json"), "utf8")

if (!existsSync(INSTALLED) || readFileSync(INSTALLED, "utf8") !== lock) {
  process.stderr.write("Installing what only the long tests need, into test/node_modules.\n")
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: FOLDER, stdio: "inherit" })
  writeFileSync(INSTALLED, lock)
}
