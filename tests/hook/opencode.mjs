// Stand-ins for opencode 1.x and 2.x: load the plugin, deliver events, print what the model gets.
// Usage: node opencode.mjs PLUGIN DIRECTORY, with a list of [version, event, ...] on standard input.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const [file, directory] = process.argv.slice(2)
const plugin = await import(pathToFileURL(file))
const events = JSON.parse(readFileSync(0, "utf8"))
const prompts = []
const sessions = { child: { parentID: "one" } }

const client = {
  session: {
    get: async ({ path }) => ({ data: { id: path.id, ...sessions[path.id] } }),
    prompt: async ({ path, body }) => void prompts.push([path.id, body.parts[0].text]),
  },
}
// 1.x takes an object with `server`, or calls every function that a module exports.
const one = await plugin.default.server({ directory, client })
if (plugin.Yg !== plugin.default.server) throw new Error("two plugins for 1.x")

const hooks = {}
const register = (kind) => async (name, work) => void (hooks[`${kind}.${name}`] = work)
const record = { location: { directory } }
if (typeof plugin.default.id !== "string") throw new Error("no id for 2.x")
await plugin.default.setup({
  tool: { hook: register("tool") },
  session: { hook: register("session"), get: async ({ sessionID }) => (sessionID ? record : undefined) },
})

const deliver = {
  "1 tool": async (sessionID, tool, args) => {
    const output = { title: "", output: "done", metadata: {} }
    await one["tool.execute.after"]({ tool, sessionID, callID: "1", args }, output)
    return output.output
  },
  "1 request": async (sessionID) => {
    const output = { system: ["base"] }
    await one["experimental.chat.system.transform"]({ sessionID }, output)
    return output.system
  },
  "1 compacting": async (sessionID) => {
    const output = { context: [] }
    await one["experimental.session.compacting"]({ sessionID }, output)
    return output.context
  },
  "1 idle": async (sessionID) => {
    await one.event({ event: { type: "session.idle", properties: { sessionID } } })
    return prompts.splice(0)
  },
  "2 tool": async (sessionID, tool, input, status = "completed") => {
    const result = status === "completed" ? { content: [{ type: "text", text: "done" }] } : undefined
    await hooks["tool.execute.after"]({ tool, sessionID, input, status, result })
    return result?.content.map((part) => part.text)
  },
  "2 request": async (sessionID, kind = "primary") => {
    const event = { sessionID, kind, system: [{ type: "text", text: "base" }] }
    await hooks["session.context"](event)
    return event.system.map((part) => part.text)
  },
  "2 compaction": async (sessionID) => {
    await hooks["session.compaction"]({ sessionID, system: [], messages: [] })
    return null
  },
}
const found = []
for (const [name, ...values] of events) found.push(await deliver[name](...values))
process.stdout.write(JSON.stringify(found))
