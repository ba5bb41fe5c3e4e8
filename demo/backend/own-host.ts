// Refuses requests that came by a foreign host name: the demo acts as any of its users for whoever may call it.

export interface OwnHostDeps {
  /** Address of the edge for browsers. */
  publicUrl: string
  /** Whether a host without its port is this machine alone. */
  isLoopback(host: string): boolean
}

/**
 * A page of any site may let its own name resolve to this machine (DNS rebinding). Its requests then count as requests of
 * one origin, but `Host` still has the foreign name.
 * @returns A function that tells whether Host, the target and a sent Origin are loopback, or the host of PUBLIC_URL.
 */
export function createIsOwnHost({ publicUrl, isLoopback }: OwnHostDeps): (request: Request) => boolean {
  const known = new URL(publicUrl)
  const isOwnName = (address: URL) => isLoopback(address.hostname) || withoutDot(address) === withoutDot(known)
  return ({ url, headers }) => {
    const host = parse(`http://${headers.get('host') ?? ''}`)
    // The target differs from Host when it is a whole address (RFC 9112, section 3.2.2).
    if (host === undefined || !isOwnName(host) || !isOwnName(new URL(url))) return false
    const sent = headers.get('origin')
    if (sent === null) return true
    const origin = parse(sent)
    return origin !== undefined && (origin.host === host.host || origin.origin === known.origin)
  }
}

function withoutDot({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

/** @returns Undefined for anything but scheme, host and port. */
function parse(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const hasMore =
    url === undefined || url.username + url.password + url.search + url.hash !== '' || url.pathname !== '/'
  return hasMore ? undefined : url
}
