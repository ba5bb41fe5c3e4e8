// Resolves names of customers without the thread pool of libuv, so that a silent name server blocks no other call.

import { type LookupAddress, type LookupAllOptions, lookup, Resolver } from 'node:dns'

/** The result has the form of `lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface ResolveOptions {
  /** Whether the system resolves names that the name servers do not know: names of its network and of the hosts file. */
  asksSystem: boolean
  /** In place of the system's. */
  servers?: string[]
  timeoutMs?: number
  system?: Resolve
}

const TIMEOUT_MS = 2000
const TRIES = 2

/** Uses `getaddrinfo` only for names of this machine, and for names that only the system can know. */
export function createResolve({
  asksSystem,
  servers,
  timeoutMs = TIMEOUT_MS,
  system = lookup,
}: ResolveOptions): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)

  const ask = (hostname: string, family: 4 | 6) =>
    new Promise<FamilyAnswer>((resolve) => {
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
      // Without any name server the machine resolves in another way; customers cannot cause this case.
      const isForSystem = error?.code === 'ECONNREFUSED' || (asksSystem && error?.code === 'ENOTFOUND')
      if (isForSystem) return system(hostname, options, callback)
      callback(error, [])
    })
  }
}

interface FamilyAnswer {
  error: NodeJS.ErrnoException | null
  addresses: LookupAddress[]
}

/** Whether a name is local: one label (`localhost`, a container), or link-local. */
function isLocal(hostname: string): boolean {
  return !hostname.includes('.') || /\.(?:localhost|local)\.?$/i.test(hostname)
}
