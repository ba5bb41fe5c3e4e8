// Ends this process soon after its parent has ended, also while a task keeps its event loop from seeing that.

import { Worker } from 'node:worker_threads'

/** A thread of its own: the main one may be busy for ever. It needs no module, so it is no program of the build. */
const WATCH = `
const { workerData: parent } = require('node:worker_threads')
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 1000)
`
/** Node 20 ends a thread with 4 MB at its start. */
const LIMITS = { maxOldGenerationSizeMb: 16 }

/** Call it at the start: the parent of a process is another one once its first parent has ended. */
export function watchParent(): void {
  new Worker(WATCH, { eval: true, workerData: process.ppid, resourceLimits: LIMITS, execArgv: [] }).unref()
}
