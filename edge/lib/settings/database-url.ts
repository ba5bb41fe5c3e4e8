// Parses DATABASE_URL as services and people write it: parameters, sockets, providers.

import { Fault } from './setting.ts'

/** The modes of libpq without `allow`: a connection that may be unencrypted must not look encrypted. */
const SSL_MODES = /^(disable|prefer|require|verify-ca|verify-full)$/
/** They would change whom the server connects to, against what the address says. */
const OF_ADDRESS = ['user', 'password', 'dbname', 'hostaddr', 'service']
const EXAMPLE =
  'an address such as `postgres://host:5432/database`, with `?sslmode=…` for TLS, and user and password before the host, percent-encoded.'
/** Stands for the host of a socket, whose folder is in `?host=`. */
const SOCKET_HOST = 'localhost'

export interface DatabaseAddress {
  /** With `sslmode` and `host` (the folder of a socket) as only parameters. */
  url: string
  /** Names of parameters that have no effect here. */
  ignored: string[]
}

/** @throws Fault */
export function readDatabaseUrl(value: string): DatabaseAddress {
  const url = parseWithSocket(value)
  if (url === null || !isPlain(url)) throw new Fault(EXAMPLE)
  const given = [...url.searchParams]
  const names = given.map(([name]) => name)
  if (new Set(names).size < names.length || names.some((name) => OF_ADDRESS.includes(name))) throw new Fault(EXAMPLE)
  const socket = url.searchParams.get('host')
  if (socket !== null && !(socket.startsWith('/') && url.hostname === SOCKET_HOST)) throw new Fault(EXAMPLE)
  const port = url.searchParams.get('port')
  // The port is a part of the name of a socket. A host has its own in the address.
  if (port !== null && (socket === null || url.port !== '' || !/^\d{1,5}$/.test(port))) throw new Fault(EXAMPLE)
  if (port !== null) url.port = port
  const mode = modeOf(url.searchParams)
  if (mode !== null && !SSL_MODES.test(mode)) {
    throw new Fault('an address whose `sslmode` is `disable`, `prefer`, `require` or `verify-full`.')
  }
  const read = new Set(['sslmode', 'ssl', 'host', 'port'])
  url.search = ''
  // A socket is not encrypted.
  if (mode !== null && socket === null) url.searchParams.set('sslmode', mode)
  if (socket !== null) url.searchParams.set('host', socket)
  return { url: url.href, ignored: names.filter((name) => !read.has(name)) }
}

/** The URL parser knows no empty host after a login, and keeps an encoded folder in the place of the host. */
function parseWithSocket(value: string): URL | null {
  const [, scheme, login = '', folder = '', port = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?((?:%2f[^/?#:]*)?)((?::\d+)?)(\/.*)$/i.exec(value) ?? []
  if (scheme === undefined) return URL.canParse(value) ? new URL(value) : null
  const text = `${scheme}${login}${SOCKET_HOST}${port}${rest}`
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (folder !== '') {
    if (!isEncoded(folder)) return null
    url.searchParams.append('host', decodeURIComponent(folder))
  }
  return url.searchParams.has('host') ? url : null
}

function isPlain({ protocol, hostname, pathname, hash, username, password }: URL): boolean {
  // A `/` in the password makes the rest of it a path, which messages would show.
  const isAddress = /^postgres(ql)?:$/.test(protocol) && hostname !== '' && /^\/[^/@]+$/.test(pathname) && hash === ''
  return isAddress && [username, password, pathname].every(isEncoded)
}

/** Drivers of other languages write `ssl=true`. */
function modeOf(params: URLSearchParams): string | null {
  const ssl = params.get('ssl')
  if (params.has('sslmode') || ssl === null) return params.get('sslmode')
  return ({ true: 'require', '1': 'require', false: 'disable', '0': 'disable' } as Record<string, string>)[ssl] ?? ssl
}

/** @returns Whether all percent signs encode something. */
export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
