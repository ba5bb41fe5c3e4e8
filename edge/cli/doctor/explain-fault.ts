// Explains why a database or Redis is unreachable; shows the address without user, password or parameters.

import { messageOf } from './finding.ts'

/** Explanations of error codes of PostgreSQL for operators. */
const POSTGRES: Record<string, string> = {
  '28P01': 'refuses the password of DATABASE_URL. Put the right one there.',
  '28000': 'has no such user, or refuses it from this machine: correct DATABASE_URL, or look at its pg_hba.conf.',
  '3D000': 'has no such database. Create it (CREATE DATABASE), or correct the name in DATABASE_URL.',
  '42501':
    'does not allow this user to make tables. On PostgreSQL 15 the schema needs a grant: GRANT USAGE, CREATE ON SCHEMA public TO the user, as the owner of the schema.',
  '53300': 'has no connection left. Raise max_connections, or run fewer nodes.',
  '57P03': 'is starting up or shutting down. Try again in a moment.',
  '25006': 'is a read-only replica. Name the primary.',
}

const UNTRUSTED =
  'has a certificate that this machine does not trust: NODE_EXTRA_CA_CERTS names the file of its authority.'

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'refuses connections: nothing listens there. Start it, or correct host and port.',
  ENOENT: 'has no socket in the folder of ?host=. Start it, or correct folder and port.',
  ENOTFOUND: 'has a host name that is unknown. Correct it.',
  EAI_AGAIN: 'has a host name that cannot be looked up now. Look at the name servers.',
  ETIMEDOUT: 'does not answer: look at the network and its firewall, and whether both sides use TLS.',
  CONNECT_TIMEOUT: 'does not answer: look at the network and its firewall, and whether both sides use TLS.',
  EHOSTUNREACH: 'cannot be reached from here: look at the network.',
  ECONNRESET:
    'closed the connection: look whether it speaks TLS, and whether the address says the same (sslmode=require, or rediss:).',
  ERR_SSL_WRONG_VERSION_NUMBER: 'speaks no TLS: correct its address (sslmode=disable, or redis:).',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'has a certificate that has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate of another name: write the name of the certificate into the address.',
}

/** @returns What is wrong and what to do; the message of the error when it is unknown. */
export function explainStoreFault(error: unknown, databaseUrl: string | null): string {
  if (databaseUrl === null) return messageOf(error)
  return findStoreFault(error, () => databaseUrl) ?? withoutPassword(messageOf(error), databaseUrl)
}

/** @returns What is wrong and what to do; undefined when the error is not known as one of PostgreSQL. */
export function findStoreFault(error: unknown, databaseUrl: () => string | null): string | undefined {
  const isSilent = error instanceof Error && error.name === 'ConnectionLost'
  const code = isSilent ? 'ETIMEDOUT' : codeOf(error)
  // The code of a missing file, too.
  const isOfFile = code === 'ENOENT' && !(error instanceof Error && 'syscall' in error && error.syscall === 'connect')
  const known = isOfFile ? undefined : (POSTGRES[code] ?? NETWORK[code])
  const url = known === undefined ? null : databaseUrl()
  return url === null || isOfOtherHost(error, url) ? undefined : `PostgreSQL at ${placeOf(url)} ${known}`
}

/** Whether the lookup of another name failed, such as that of Redis. */
const isOfOtherHost = (error: unknown, url: string): boolean =>
  error instanceof Error && 'hostname' in error && error.hostname !== new URL(url).hostname

/** @returns What is wrong and what to do; the message of the error when it is unknown. */
export function explainRedisFault(error: unknown, redisUrl: string): string {
  const words = messageOf(error)
  const place = `Redis at ${placeOf(redisUrl)}`
  if (words.startsWith('WRONGPASS')) return `${place} refuses the password of REDIS_URL. Put the right one there.`
  if (words.startsWith('NOAUTH')) return `${place} wants a password: put it into REDIS_URL.`
  if (words.startsWith('LOADING')) return `${place} is reading its data. Try again in a moment.`
  if (words.includes('DB index')) return `${place} has no database of that number: correct it in REDIS_URL.`
  const known = NETWORK[codeOf(error)]
  return known === undefined ? `${place}: ${withoutPassword(words, redisUrl)}` : `${place} ${known}`
}

/** @returns Host and port or socket, and database of an address, without its secret parts. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the address given'
  const { host, port, pathname, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const place = folder === null ? host : `${folder}/.s.PGSQL.${port || 5432}`
  return `${place}${pathname === '/' ? '' : pathname}`
}

/** @returns The code of an error or of its cause, '' without one: a socket tries each address of a host name. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  const own = error instanceof Error && 'code' in error ? String(error.code) : ''
  return own === '' && error instanceof Error && error.cause !== undefined ? codeOf(error.cause) : own
}

function withoutPassword(words: string, url: string): string {
  const { password } = URL.canParse(url) ? new URL(url) : { password: '' }
  if (password === '') return words
  return words.replaceAll(password, '…').replaceAll(decodeURIComponent(password), '…')
}
