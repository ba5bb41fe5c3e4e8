// Finds the programs of PostgreSQL and Redis, or installs Debian's packages, and says what it does.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram, inPath, isExecutable } from '../executable.ts'

const LIBRARY = '/usr/lib/postgresql'
const NO_CLUSTER = '/etc/postgresql-common/createcluster.d/nc-tests.conf'
const NO_START = '/usr/sbin/policy-rc.d'

/** The folder with `postgres`, `initdb` and `psql`: in PATH, or the newest of Debian's. */
export function findPostgres(): string | undefined {
  const versions = existsSync(LIBRARY) ? readdirSync(LIBRARY).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...inPath(), ...versions.map((version) => join(LIBRARY, version, 'bin'))]
  return folders.find((folder) => ['postgres', 'initdb', 'psql'].every((name) => isExecutable(join(folder, name))))
}

export function findRedis(): string | undefined {
  return findProgram('redis-server')
}

/** Makes sure that both are there. Throws what an operator must install when it cannot, and `why`. */
export function provideServers(say: (line: string) => void, why = 'The tests need them.'): void {
  const missing = () => [
    ...(findPostgres() === undefined ? ['postgresql'] : []),
    ...(findRedis() === undefined ? ['redis-server'] : []),
  ]
  const packages = missing()
  if (packages.length === 0) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say(`Missing: ${packages.join(', ')}. Installing Debian’s packages, without starting their servers.`)
    const begun = performance.now()
    installFromDebian(packages)
    say(`Installed in ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
  }
  const still = missing()
  if (still.length > 0)
    throw new Error(`Not installed here: ${still.join(', ')}. Install them, then run this again. ${why}`)
}

/** Debian starts a server when it installs one, and makes a cluster: neither is wanted here. */
function installFromDebian(packages: string[]): void {
  const added: string[] = []
  const add = (path: string, text: string, mode: number) => {
    if (existsSync(path)) return
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
    added.push(path)
  }
  try {
    add(NO_CLUSTER, 'create_main_cluster = false\n', 0o644)
    add(NO_START, '#!/bin/sh\nexit 101\n', 0o755)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args: string[]) =>
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
    const install = () => apt('install', '-y', '--no-install-recommends', ...packages)
    if (!install() && apt('update')) install()
  } finally {
    for (const path of added) rmSync(path, { force: true })
  }
}
