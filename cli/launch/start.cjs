/* Apart from `docgauge.cjs`, because an old Node could not even read this line. */
import("./lib/main.js")
