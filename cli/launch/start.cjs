/* Apart from `docgauge.cjs`, because an old Node could not even read this line. */
import("./lib/main.js").catch(function (error) {
  var reason = String((error && error.message) || error).split("\n")[0]
  process.stderr.write("docgauge: its own files cannot be loaded: " + reason + ". Install docgauge again.\n")
  // 70, as for any fault of docgauge: 1 would say that a goal is missed.
  process.exitCode = 70
})
