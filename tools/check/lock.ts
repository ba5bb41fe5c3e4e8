// Checks package-lock.json: optional packages that it lacks, and packages whose content no hash pins.

import type { Violation } from './source.ts'

/** Fields of a lockfile that are read here. */
export interface Lockfile {
  packages: Record<string, LockEntry>
}

interface LockEntry {
  version?: string
  integrity?: string
  /** A workspace, which is no package of a registry. */
  link?: boolean
  /** Part of the package that contains it, whose hash covers it. */
  inBundle?: boolean
  optionalDependencies?: Record<string, string>
}

const MEND = 'run `npm install --package-lock-only`, with a version that the registry has for every platform'

export function checkLock(lock: Lockfile): Violation[] {
  return [
    ...findMissing(lock).map((path) => `${path} is missing, and \`npm ci\` refuses such a lock: ${MEND}`),
    ...findUnpinned(lock).map(
      (path) => `${path} has no integrity, so any content is installed: remove it, then ${MEND}`,
    ),
  ].map((message) => ({ rule: 'lock', path: 'package-lock.json', message, level: 'error' }))
}

/** npm drops optional packages that a registry lacks. Those of a platform are known by their names. */
function findMissing({ packages }: Lockfile): string[] {
  const paths = Object.keys(packages)
  const names = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  return [...new Set(names.filter(hasPlatform).map((name) => `node_modules/${name}`))].filter(
    (path) => !paths.some((known) => known === path || known.endsWith(`/${path}`)),
  )
}

function findUnpinned({ packages }: Lockfile): string[] {
  return Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path.includes('node_modules/') && link !== true && inBundle !== true)
    .filter(([, { integrity }]) => !/^sha(256|384|512)-/.test(integrity ?? ''))
    .map(([path]) => path)
}

const SYSTEMS = ['win32', 'darwin', 'linux', 'android', 'freebsd', 'openbsd', 'openharmony']
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64']

function hasPlatform(name: string): boolean {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-')
  return words.some((word) => SYSTEMS.includes(word)) && words.some((word) => PROCESSORS.includes(word))
}
