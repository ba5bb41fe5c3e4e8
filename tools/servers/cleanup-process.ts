// Ends a server process and removes its folder when the owner process ends: a shell that waits for the end of its input.

import { type ChildProcess, spawn } from 'node:child_process'

export interface CleanupProcess {
  /** Sets the process that must not outlive this one; undefined while none runs. */
  watch(pid: number | undefined): void
  /** Ends that process and removes the folder now. Resolves when both are gone. */
  clear(): Promise<void>
}

// Each input line names the current process. The input ends with this process, even by SIGKILL. TERM ends HAProxy, and
// QUIT makes PostgreSQL end its children at once. A stopped process accepts only CONT and KILL.
const SCRIPT = `
runs() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
server=
while read -r line; do server=$line; done
if [ -n "$server" ] && runs "$server"; then
  kill -CONT "$server"; kill -TERM "$server"; kill -QUIT "$server"
  turns=0
  while runs "$server" && [ $turns -lt 100 ]; do sleep 0.05; turns=$((turns + 1)); done
  kill -KILL "$server" 2>/dev/null
fi
[ -z "$1" ] || rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`

/** Starts the watch. `folder` is removed at the end; undefined when there is none. */
export function startCleanupProcess(folder: string | undefined): CleanupProcess {
  // Uses its own process group, so that a signal to our group does not end it.
  const child: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'cleanup-process', folder ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  })
  child.unref()
  const input = child.stdin
  if (input === null) throw new Error('cleanup process started without an input')
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
