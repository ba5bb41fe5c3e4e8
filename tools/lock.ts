// Finds optional packages that package-lock.json lacks: npm drops those that a registry lacks, and then refuses the lock.

/** Fields of a lockfile that are read here. */
export interface Lockfile {
  packages: Record<string, LockEntry>
}

export interface LockEntry {
  version?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

const SYSTEMS = ['win32', 'darwin', 'linux', 'android', 'freebsd', 'openbsd', 'openharmony']
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64']

/** @returns path in the lock → the missing entry, with version and platform from the package's name */
export function findMissing(lock: Lockfile): Map<string, LockEntry> {
  const missing = new Map<string, LockEntry>()
  const paths = Object.keys(lock.packages)
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      const isKnown = paths.some((known) => known === path || known.endsWith(`/${path}`))
      const platform = isKnown ? undefined : findPlatform(name)
      if (platform !== undefined) missing.set(path, { version, ...platform, optional: true })
    }
  }
  return missing
}

function findPlatform(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> | undefined {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-')
  const os = words.find((word) => SYSTEMS.includes(word))
  const cpu = words.find((word) => PROCESSORS.includes(word))
  if (os === undefined || cpu === undefined) return undefined
  if (os !== 'linux') return { cpu: [cpu], os: [os] }
  return { cpu: [cpu], libc: [words.at(-1)?.startsWith('musl') ? 'musl' : 'glibc'], os: [os] }
}
