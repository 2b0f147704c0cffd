#!/usr/bin/env node
/*
 * The first file of the package. It is plain old JavaScript, because `npx docgauge` runs it with any Node: where that is too
 * old, the modules of docgauge would end with a SyntaxError before they could say what is needed.
 */
var needed = [22, 19]
var parts = process.versions.node.split(".")
var major = Number(parts[0])
var minor = Number(parts[1])

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  require("./start.cjs")
} else {
  process.stderr.write(
    "docgauge: Node.js " +
      needed.join(".") +
      " or later is needed, and this is " +
      process.versions.node +
      ". Install a newer one from https://nodejs.org (in GitHub Actions: actions/setup-node with node-version 24).\n"
  )
  process.exitCode = 2
}
