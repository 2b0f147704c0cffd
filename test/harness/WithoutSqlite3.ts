/* Loaded into a process before its program (`--import`): the package `sqlite3` is missing there, so that SQLite is Node's own. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "sqlite3") throw new Error("Cannot find package 'sqlite3'")
    return next(specifier, context)
  }
})
