// Clears up after a server process when whoever started it is gone, however it went: a shell that waits for the end of its input.

import { type ChildProcess, spawn } from 'node:child_process'

export interface Janitor {
  /** The process that must not outlive this one; undefined while none runs. */
  watch(pid: number | undefined): void
  /** Ends that process and removes the folder now. Resolves when both are gone. */
  clear(): Promise<void>
}

// Each line names the process that runs now. The input ends with this process, SIGKILL or not. QUIT is PostgreSQL's
// immediate shutdown: its children go with it. A stopped process takes no signal but CONT and KILL.
const SCRIPT = `
runs() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
server=
while read -r line; do server=$line; done
if [ -n "$server" ] && runs "$server"; then
  kill -CONT "$server"; kill -QUIT "$server"
  turns=0
  while runs "$server" && [ $turns -lt 100 ]; do sleep 0.05; turns=$((turns + 1)); done
  kill -KILL "$server" 2>/dev/null
fi
[ -z "$1" ] || rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`

/** Watches from now on. `folder` is removed at the end; undefined: there is none to remove. */
export function startJanitor(folder: string | undefined): Janitor {
  // A group of its own: what ends ours must not end it.
  const child: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'janitor', folder ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  })
  child.unref()
  const input = child.stdin
  if (input === null) throw new Error('a janitor without an input')
  if ('unref' in input && typeof input.unref === 'function') input.unref()
  return {
    watch: (pid) => {
      input.write(`${pid ?? ''}\n`)
    },
    async clear() {
      child.ref()
      const gone = new Promise<void>((resolve) =>
        child.exitCode === null ? child.once('exit', () => resolve()) : resolve(),
      )
      input.end()
      await gone
    },
  }
}
