// Runs the build as a process group of its own, so that a stop signal ends it with everything that it has started.

import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const hasGroups = process.platform !== 'win32'

/**
 * Builds the parts that are stale; without `parts`, all.
 * @param {string[]} parts
 * @param {AbortSignal} stop Its reason is the signal to send to the build.
 * @returns {Promise<number | null>} The exit status; null when a signal has ended the build.
 */
export function runBuild(parts, stop) {
  const args = ['--import', 'tsx', 'tools/build.ts', ...parts]
  // Not on Windows, where a detached process opens a window.
  const build = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: hasGroups,
  })
  const forward = () => sendToGroup(build, stop.reason)
  if (stop.aborted) forward()
  stop.addEventListener('abort', forward)
  return new Promise((settle, reject) => {
    build.once('error', reject)
    build.once('exit', settle)
  })
}

function sendToGroup(build, signal) {
  if (build.pid === undefined || build.exitCode !== null) return
  if (hasGroups) process.kill(-build.pid, signal)
  else build.kill(signal)
}
