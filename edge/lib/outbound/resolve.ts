// Resolves names that customers chose without the system's four threads: a name server that never answers holds nobody else up.

import { type LookupAddress, type LookupAllOptions, lookup, Resolver } from 'node:dns'

/** As `lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface ResolveOptions {
  /** What the name servers do not know is asked of the system, which has names of its own network and its hosts file. */
  asksSystem: boolean
  /** In place of the system's. */
  servers?: string[]
  timeoutMs?: number
  system?: Resolve
}

const TIMEOUT_MS = 2000
const TRIES = 2

/** The system itself (`getaddrinfo`) is asked only for names of this machine, and where it alone can know. */
export function createResolve({
  asksSystem,
  servers,
  timeoutMs = TIMEOUT_MS,
  system = lookup,
}: ResolveOptions): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)

  const ask = (hostname: string, family: 4 | 6) =>
    new Promise<Asked>((resolve) => {
      const settle = (error: NodeJS.ErrnoException | null, addresses: string[] = []) =>
        resolve({ error, addresses: addresses.map((address) => ({ address, family })) })
      if (family === 4) resolver.resolve4(hostname, settle)
      else resolver.resolve6(hostname, settle)
    })

  return (hostname, options, callback) => {
    if (isLocal(hostname)) return system(hostname, options, callback)
    void Promise.all([ask(hostname, 4), ask(hostname, 6)]).then((both) => {
      const addresses = both.flatMap((one) => one.addresses)
      if (addresses.length > 0) return callback(null, addresses)
      const error = both.find((one) => one.error !== null && one.error.code !== 'ENODATA')?.error ?? both[0].error
      // No name server at all is a machine that resolves in its own way; that is nothing a customer could bring about.
      const isForSystem = error?.code === 'ECONNREFUSED' || (asksSystem && error?.code === 'ENOTFOUND')
      if (isForSystem) return system(hostname, options, callback)
      callback(error, [])
    })
  }
}

interface Asked {
  error: NodeJS.ErrnoException | null
  addresses: LookupAddress[]
}

/** One word (`localhost`, a container's name), or of the link. */
function isLocal(hostname: string): boolean {
  return !hostname.includes('.') || /\.(?:localhost|local)\.?$/i.test(hostname)
}
