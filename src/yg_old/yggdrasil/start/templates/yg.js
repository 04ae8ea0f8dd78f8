// Notes about the graph of this repository, for opencode 1.x and 2.x. Written by `yg init`;
// `yg init --remove --platform opencode` removes it. It asks `yg hook`, which explains itself:
// `yg hook --test opencode`, `yg hook --log`. Without `yg` on the PATH, nothing happens.
import { spawn } from "node:child_process"

const TOUCHING = new Set(["read", "edit", "write", "patch", "apply_patch"])
const LIMIT = 5000 // milliseconds; `yg hook` answers within three seconds or not at all

/** Return what `yg` has to say about an event; an empty text if there is nothing. */
function note(event, payload) {
  return new Promise((resolve) => {
    const command = ["hook", "opencode", event]
    const windows = process.platform === "win32" // where programs may be scripts
    const child = spawn("yg", command, { stdio: ["pipe", "pipe", "ignore"], shell: windows, timeout: LIMIT })
    let text = ""
    child.on("error", () => resolve(""))
    child.on("close", (code) => resolve(code === 0 ? text.trim() : ""))
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (piece) => (text += piece))
    child.stdin.on("error", () => {}) // it has ended already
    child.stdin.end(JSON.stringify(payload))
  })
}

/** Return a function that never fails: an error in a hook would fail what it is called for. */
function safe(work) {
  return async (...values) => {
    try {
      return await work(...values)
    } catch {
      return undefined
    }
  }
}

/** What sessions were told at their start or after a compaction; it goes with every request. */
class Openings {
  texts = new Map()

  async get(session, cwd) {
    if (!this.texts.has(session)) this.texts.set(session, note("session-start", { session_id: session, cwd }))
    return this.texts.get(session)
  }

  async renew(session, cwd) {
    const text = await note("compact", { session_id: session, cwd })
    if (text) this.texts.set(session, text)
    return text
  }
}

/** opencode 1.x */
export const Yg = async ({ directory, client } = {}) => {
  const openings = new Openings()
  return {
    "tool.execute.after": safe(async (input, output) => {
      if (!TOUCHING.has(input.tool) || typeof output.output !== "string") return
      const payload = { tool_name: input.tool, tool_input: input.args }
      const text = await note("post-tool", { session_id: input.sessionID, cwd: directory, ...payload })
      if (text) output.output += `\n\n${text}`
    }),
    "experimental.chat.system.transform": safe(async (input, output) => {
      const text = input.sessionID ? await openings.get(input.sessionID, directory) : ""
      if (text) output.system.push(text)
    }),
    "experimental.session.compacting": safe(async (input, output) => {
      const text = await openings.renew(input.sessionID, directory)
      if (text) output.context.push(text)
    }),
    event: safe(async ({ event }) => {
      const id = event.type === "session.idle" ? event.properties.sessionID : ""
      const session = id ? (await client.session.get({ path: { id } })).data : undefined
      if (!session || session.parentID) return // a subagent has nobody to answer to
      const text = await note("stop", { session_id: id, cwd: directory })
      if (text) await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text }] } })
    }),
  }
}

/** opencode 2.x: its server runs elsewhere, so the session knows the directory. */
async function setup(ctx) {
  const openings = new Openings()
  const directory = safe(async (sessionID) => {
    const found = await ctx.session.get({ sessionID })
    return (found.data ?? found).location.directory
  })
  await ctx.tool.hook("execute.after", safe(async (event) => {
    const content = event.result?.content
    if (event.status !== "completed" || !TOUCHING.has(event.tool) || !Array.isArray(content)) return
    const payload = { tool_name: event.tool, tool_input: event.input }
    const cwd = await directory(event.sessionID)
    const text = await note("post-tool", { session_id: event.sessionID, cwd, ...payload })
    if (text) content.push({ type: "text", text })
  }))
  await ctx.session.hook("context", safe(async (event) => {
    if (event.kind !== "primary") return
    const text = await openings.get(event.sessionID, await directory(event.sessionID))
    if (text) event.system.push({ type: "text", text })
  }))
  await ctx.session.hook("compaction", safe(async (event) => {
    await openings.renew(event.sessionID, await directory(event.sessionID))
  }))
}

export default { id: "yg", server: Yg, setup }
