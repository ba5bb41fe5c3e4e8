// Mounts a small file system for an edge, in a mount namespace that ends with its process.

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../..')
const MIB = 1024 * 1024
const MOUNT = 'mount -t tmpfs -o size="$1" tmpfs "$0"'

/** Returns whether this process can mount. False without root, or where mounting is not allowed. */
export function canMount(folder: string): boolean {
  return spawnSync('unshare', ['--mount', 'sh', '-c', MOUNT, folder, '1m']).status === 0
}

export interface OwnDisk {
  /** Path of a file of the disk as this process sees it. */
  path(name: string): string
  freeBytes(): number
  /** Fills the disk until so many bytes are free; with 0 until a write fails. */
  fillTo(freeBytes: number): void
  /** Frees so many bytes that `fillTo` has written. */
  release(bytes: number): void
  /** Starts a node program that sees the disk at `folder`. */
  start(args: string[], env: Record<string, string>): ChildProcess
  /** Runs a program to its end. @returns its standard output @throws when it fails */
  run(args: string[], env?: Record<string, string>): Promise<string>
  close(): Promise<void>
}

/** Mounts a disk of that size. With `owner` it belongs to that user, who reaches it by `path()`. */
export async function givenOwnDisk(
  folder: string,
  size: string,
  owner?: { uid: number; gid: number },
): Promise<OwnDisk> {
  const setOwner = owner === undefined ? '' : ` && chown ${owner.uid}:${owner.gid} "$0"`
  const runAs = owner === undefined ? '' : `setpriv --reuid=${owner.uid} --regid=${owner.gid} --clear-groups `
  const script = `${MOUNT}${setOwner} && echo ready && exec ${runAs}sleep 600`
  const mountProcess = spawn('unshare', ['--mount', 'sh', '-c', script, folder, size])
  await once(mountProcess.stdout, 'data')
  const pid = String(mountProcess.pid)
  const path = (name: string) => join(`/proc/${pid}/root`, folder, name)
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(path('.'))
    return bavail * bsize
  }
  const nsenterArgs = (args: string[]) => ['--mount', '--target', pid, `--wd=${ROOT}`, process.execPath, ...args]
  const settings = (env: Record<string, string>) => ({ cwd: ROOT, env: { ...process.env, ...env } })
  const withFiller = (work: (file: number) => void) => {
    const file = openSync(path('filler'), 'a')
    try {
      work(file)
    } finally {
      closeSync(file)
    }
  }
  return {
    path,
    freeBytes,
    fillTo: (freeTarget) => withFiller((file) => fill(file, () => freeBytes() - freeTarget)),
    release(bytes) {
      const length = existsSync(path('filler')) ? statSync(path('filler')).size : 0
      withFiller((file) => ftruncateSync(file, Math.max(0, length - bytes)))
    },
    start: (args, env) => spawn('nsenter', nsenterArgs(args), settings(env)),
    run: async (args, env = {}) => (await promisify(execFile)('nsenter', nsenterArgs(args), settings(env))).stdout,
    async close() {
      mountProcess.kill('SIGKILL')
      await once(mountProcess, 'exit')
    },
  }
}

function fill(file: number, excessBytes: () => number): void {
  const zeros = Buffer.alloc(MIB)
  for (let bytes = excessBytes(); bytes > 0; bytes = excessBytes()) {
    try {
      writeSync(file, zeros, 0, Math.min(bytes, MIB))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}
