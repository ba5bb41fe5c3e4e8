// Tests the installation: once for all processes, with other users of apt, without leftovers, or with one message.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Installer, installMissing } from './install-programs.ts'
import { findProgram, type Program, programPath } from './programs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nc-provide-'))
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const inFolder = (name: string) => join(folder, name)
const tool = (name: string, more: Partial<Program> = {}): Program => ({
  title: name.toUpperCase(),
  find: () => (existsSync(inFolder(name)) ? inFolder(name) : undefined),
  debian: [`deb-${name}`],
  fedora: [`rpm-${name}`],
  macOs: [`brew-${name}`],
  ...more,
})

const installer = (): Installer => ({
  canInstall: true,
  guards: [{ path: inFolder('guard'), text: 'no start\n', mode: 0o755 }],
  lockFile: inFolder('lock'),
  patienceMs: 60_000,
  pauseMs: 10,
})

/** Replaces Debian's apt-get, which a test may not run: records its calls; each install adds the files of the package. */
function givenApt(script = ''): void {
  const lines = [
    '#!/bin/sh',
    `echo "$*; guard: $(cat ${folder}/guard)" >> ${folder}/calls`,
    script,
    `case "$*" in *install*) for name in one two; do case "$*" in *deb-$name*) touch ${folder}/$name;; esac; done;; esac`,
  ]
  writeFileSync(inFolder('apt-get'), lines.join('\n'))
  chmodSync(inFolder('apt-get'), 0o755)
}
const calls = () => readFileSync(inFolder('calls'), 'utf8').trim().split('\n')
const installs = () => calls().filter((call) => call.includes(' install '))

// Only Debian's apt installs, and only Linux has flock.
const onLinux = test.skipIf(process.platform !== 'linux')

onLinux(
  'all that is missing comes by one call, servers are kept from starting, and nothing of that stays',
  async () => {
    givenApt('echo "pmstatus:deb-one:50:" >&3')
    const lines: string[] = []
    await installMissing([tool('one'), tool('two')], { log: (line) => lines.push(line) }, installer())
    expect(calls()).toHaveLength(2)
    expect(calls()[0]).toMatch(/ update; guard: no start$/)
    expect(calls()[1]).toMatch(/ install .* deb-one deb-two; guard: no start$/)
    expect(existsSync(inFolder('guard'))).toBe(false)
    expect(lines).toEqual([
      expect.stringContaining('Missing: ONE, TWO.'),
      expect.stringMatching(/^Installed in \d+ s\.$/),
    ])
  },
)

onLinux(
  'a better program is installed where another one serves; where there is none, that one goes on serving',
  async () => {
    givenApt()
    const other = { find: () => folder }
    const [better, unknown] = [tool('one', other), tool('unknown', other)].map((program, at) => {
      const name = ['one', 'unknown'][at] ?? ''
      return { ...program, findBest: () => (existsSync(inFolder(name)) ? inFolder(name) : undefined) }
    }) as [Program, Program]
    await installMissing([better], { log: () => {} }, installer())
    expect(installs()).toEqual([expect.stringContaining(' deb-one;')])
    await installMissing([better], { log: () => {} }, installer())
    expect(installs()).toHaveLength(1)
    await installMissing([unknown], { log: () => {}, isStrict: true }, installer())
    expect(installs()).toHaveLength(2)
  },
)

onLinux('a second caller waits for the first, and finds all there', async () => {
  givenApt()
  const first = installMissing([tool('one')], { log: () => {} }, installer())
  const second = installMissing([tool('one')], { log: () => {} }, installer())
  await Promise.all([first, second])
  expect(installs()).toHaveLength(1)
})

onLinux('a caller that is killed while it holds the lock leaves it to the next, and its guard too', async () => {
  givenApt()
  const holder = spawn('flock', [inFolder('lock'), 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  writeFileSync(inFolder('guard'), 'no start\n')
  const lines: string[] = []
  const installed = installMissing([tool('one')], { log: (line) => lines.push(line) }, installer())
  await expect.poll(() => lines).toEqual(['Another process installs programs: waiting for it.'])
  expect(existsSync(inFolder('calls'))).toBe(false)
  holder.kill('SIGKILL')
  await installed
  expect(installs()).toHaveLength(1)
  expect(existsSync(inFolder('guard'))).toBe(false)
})

onLinux('a guard of another owner stays', async () => {
  givenApt()
  writeFileSync(inFolder('guard'), 'theirs\n')
  await installMissing([tool('one')], { log: () => {} }, installer())
  expect(readFileSync(inFolder('guard'), 'utf8')).toBe('theirs\n')
})

onLinux('while another process holds a lock of apt, it is asked again', async () => {
  const held = `[ "$(wc -l < ${folder}/calls)" -ge 4 ] || { echo "E: Could not get lock /var/lib/dpkg/lock-frontend" >&2; exit 100; }`
  givenApt(held)
  await installMissing([tool('one')], { log: () => {} }, installer())
  expect(calls()).toHaveLength(5)
  expect(installs()).toHaveLength(1)
})

onLinux('a failure has the last words of apt, and the commands for each system', async () => {
  givenApt('echo "E: Unable to locate package" >&2; exit 100')
  const installed = installMissing([tool('one'), tool('two')], { log: () => {} }, installer())
  await expect(installed).rejects.toThrow(/Unable to locate package\nNot installed here: ONE, TWO\./)
})

test('where nothing may be installed, one message has the commands for Debian, Fedora and macOS', async () => {
  const programs = [tool('one'), tool('two'), tool('three', { isOptional: true, macOs: [] })]
  const installed = installMissing(programs, { log: () => {} }, { ...installer(), canInstall: false })
  const message = await installed.then(
    () => '',
    (error: Error) => error.message,
  )
  expect(message.split('\n')).toEqual([
    'Not installed here: ONE, TWO, THREE. Install what is missing, then run this again.',
    '  Debian: sudo apt-get update && sudo apt-get install -y --no-install-recommends deb-one deb-two deb-three',
    '  Fedora: sudo dnf install -y rpm-one rpm-two rpm-three',
    '  macOS:  brew install brew-one brew-two',
  ])
})

test('an optional program is only reported by hand, and refused on CI', async () => {
  const programs = [tool('three', { isOptional: true })]
  const lines: string[] = []
  const by = { ...installer(), canInstall: false }
  await installMissing(programs, { log: (line) => lines.push(line) }, by)
  expect(lines).toEqual([expect.stringMatching(/^Not installed here: THREE\..*skipped\.$/s)])
  await expect(installMissing(programs, { log: () => {}, isStrict: true }, by)).rejects.toThrow('THREE')
})

test('a CHROME_PATH that cannot be run is refused by name, another one is taken', () => {
  vi.stubEnv('CHROME_PATH', inFolder('missing'))
  expect(() => programPath('chromium')).toThrow(inFolder('missing'))
  writeFileSync(inFolder('mine'), '')
  chmodSync(inFolder('mine'), 0o755)
  vi.stubEnv('CHROME_PATH', inFolder('mine'))
  expect(programPath('chromium')).toBe(inFolder('mine'))
})

test('a program in PATH goes before the usual places', () => {
  writeFileSync(inFolder('redis-server'), '')
  chmodSync(inFolder('redis-server'), 0o755)
  expect(findProgram('redis')).toBe(inFolder('redis-server'))
})

test('a JDK in JAVA_HOME goes before others, unless it is too old', () => {
  vi.stubEnv('JAVA_HOME', folder)
  mkdirSync(inFolder('bin'))
  writeFileSync(inFolder('bin/javac'), '')
  chmodSync(inFolder('bin/javac'), 0o755)
  const withVersion = (version: string) => {
    writeFileSync(inFolder('release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`)
    return findProgram('java')
  }
  expect(withVersion('17.0.15')).toBe(folder)
  expect(withVersion('25')).toBe(folder)
  for (const version of ['1.8.0_392', '11.0.2', 'none']) expect(withVersion(version)).not.toBe(folder)
})
