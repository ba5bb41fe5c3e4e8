// Installs missing programs once for all callers: one apt call under a lock, with progress and duration.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { describeMissing, PROGRAMS, type Program, type ProgramName } from './programs.ts'

const PROGRESS_EVERY_MS = 5000
const APT_BUSY = /Could not get lock|Unable to (acquire|lock)/
const APT_PAUSE_MS = 1000
const APT_PATIENCE_MS = 15 * 60_000

// Debian starts a server and creates a cluster when PostgreSQL is installed; these files prevent both.
const GUARDS = [
  {
    path: '/usr/sbin/policy-rc.d',
    text: '#!/bin/sh\n# Of notification-center, while it installs.\nexit 101\n',
    mode: 0o755,
  },
  {
    path: '/etc/postgresql-common/createcluster.d/nc-tests.conf',
    text: 'create_main_cluster = false\n',
    mode: 0o644,
  },
]

export interface InstallOptions {
  log: (line: string) => void
  /** True when optional programs are required as well. */
  isStrict?: boolean
}

/** How the machine installs programs; only tests replace it. */
export interface Installer {
  /** False without root or apt: then missing programs are only reported. */
  canInstall: boolean
  guards: typeof GUARDS
  /** Lock of the installing process; the system releases it when that process ends. */
  lockFile: string
  patienceMs: number
  /** Between two calls of apt, while another process holds its locks. */
  pauseMs: number
}

const ofThisMachine = (): Installer => ({
  canInstall: process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'),
  guards: GUARDS,
  lockFile: join(tmpdir(), 'notification-center-installs.lock'),
  patienceMs: APT_PATIENCE_MS,
  pauseMs: APT_PAUSE_MS,
})

/** @throws one message with the commands for each system, when a program is missing and cannot be installed. */
export function installPrograms(names: Iterable<ProgramName>, options: InstallOptions): Promise<void> {
  return installMissing(
    [...new Set(names)].map((name) => PROGRAMS[name]),
    options,
    ofThisMachine(),
  )
}

export async function installMissing(
  programs: Program[],
  { log, isStrict = false }: InstallOptions,
  installer: Installer,
): Promise<void> {
  const missing = () => programs.filter((program) => program.find() === undefined)
  const notBest = () => programs.filter(({ find, findBest = find }) => findBest() === undefined)
  if (notBest().length === 0) return
  let failure = ''
  if (installer.canInstall) {
    const release = await lock(installer.lockFile, log)
    try {
      // Another process may have installed them meanwhile.
      if (missing().length > 0) failure = await install(missing(), installer, log)
      // Not every system has it; then the other program serves.
      if (notBest().length > missing().length) await install(notBest(), installer, log)
    } finally {
      release()
    }
  }
  const still = missing()
  if (still.length === 0) return
  const message = [failure, describeMissing(still)].filter(Boolean).join('\n')
  if (isStrict || still.some(({ isOptional }) => isOptional !== true)) throw new Error(message)
  log(`${message}\nTests that need them are skipped.`)
}

/** Resolves when this process holds the lock. The lock's process ends when its input closes, so with this process. */
async function lock(file: string, log: (line: string) => void): Promise<() => void> {
  const holder = spawn('flock', [file, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const held = once(holder.stdout, 'data')
  const isHeld = await Promise.race([held.then(() => true), delay(500, false)])
  if (!isHeld) log('Another process installs programs: waiting for it.')
  await held
  return () => holder.stdin.end()
}

/** @returns the last lines of apt when it failed, else ''. */
async function install(
  missing: Program[],
  { guards, ...busy }: Installer,
  log: (line: string) => void,
): Promise<string> {
  const packages = missing.flatMap(({ debian }) => debian)
  log(`Missing: ${missing.map(({ title }) => title).join(', ')}. Installing Debian’s packages ${packages.join(', ')}.`)
  const begun = performance.now()
  const took = () => `${((performance.now() - begun) / 1000).toFixed(0)} s`
  const removeGuards = addGuards(guards)
  try {
    let last = begun
    const onProgress = (step: string): void => {
      if (performance.now() - last < PROGRESS_EVERY_MS) return
      last = performance.now()
      log(`${took().padStart(6)}  ${step}`)
    }
    // A new system has no package lists, and old lists name deleted files. Without a network the present lists may suffice.
    await apt(['update'], busy, onProgress)
    const failure = await apt(['install', '-y', '--no-install-recommends', ...packages], busy, onProgress)
    log(failure === '' ? `Installed in ${took()}.` : `Not installed, after ${took()}.`)
    return failure
  } finally {
    removeGuards()
  }
}

/** Runs apt-get, and again while another process holds its locks. @returns its last lines when it failed, else '' */
async function apt(
  args: string[],
  { patienceMs, pauseMs }: Pick<Installer, 'patienceMs' | 'pauseMs'>,
  onProgress: (step: string) => void,
): Promise<string> {
  const until = performance.now() + patienceMs
  for (;;) {
    const child = spawn('apt-get', ['-q', '-o', 'APT::Status-Fd=3', ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    })
    const errors = await watch(child, onProgress)
    if (child.exitCode === 0) return ''
    const isBusy = errors.some((line) => APT_BUSY.test(line))
    if (!isBusy || performance.now() > until)
      return errors.slice(-5).join('\n') || `apt-get ended with ${child.exitCode}`
    onProgress('apt is used by another process: waiting for it')
    await delay(pauseMs)
  }
}

/** Waits for the end. @returns the lines of its error output */
async function watch(child: ChildProcess, onProgress: (step: string) => void): Promise<string[]> {
  const errors: string[] = []
  createInterface({ input: child.stderr as Readable }).on('line', (line) => errors.push(line))
  // apt writes `dlstatus:<n>:<percent>:<text>` for downloads and `pmstatus:<package>:<percent>:<text>` for installs.
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    const [kind, , percent = ''] = line.split(':')
    const step = { dlstatus: 'downloading', pmstatus: 'installing' }[kind ?? '']
    if (step !== undefined) onProgress(`${step}, ${Number(percent).toFixed(0)} %`)
  })
  child.on('error', (error) => errors.push(error.message))
  await once(child, 'close').catch(() => {})
  return errors
}

/** Keeps files of other owners. Replaces a file that a killed run of ours left, and removes it at the end. */
function addGuards(guards: Installer['guards']): () => void {
  const own = guards.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') === text)
  const remove = (): void => {
    for (const { path } of own) rmSync(path, { force: true })
    process.off('exit', remove)
  }
  process.on('exit', remove)
  for (const { path, text, mode } of own) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  }
  return remove
}
