// Parses the settings that are addresses: of database, Redis, mail server and sender of mails, of browsers and regions, and ranges.

import { isIP } from 'node:net'
import { isAddress } from '../mail-address.ts'
import { isEncoded, readDatabaseUrl } from './database-url.ts'
import { Fault, findAddress, hasPlainPath } from './setting.ts'

/** Describes a login without an example, which would be scrubbed from the message like a real login. */
const WITH_LOGIN = ', and user and password before the host, percent-encoded'

export function parseRedisUrl(value: string | undefined): string | null {
  if (value === undefined) return null
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url?.search === '' && url.hash === '' && /^(\/\d{0,4})?$/.test(url.pathname)
  const isReadable = isPlain && [url.username, url.password].every(isEncoded)
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || !isReadable) {
    throw new Fault(`an address such as \`redis://host:6379\`, or \`rediss://\` for TLS${WITH_LOGIN}.`)
  }
  return url.href
}

export function parseDatabaseUrl(value: string | undefined): string | null {
  return value === undefined ? null : readDatabaseUrl(value).url
}

export function parseSmtpUrl(value: string | undefined): string | null {
  if (value === undefined) return null
  const url = URL.canParse(value) ? new URL(value) : null
  const options = [...(url?.searchParams ?? [])]
  const isPlain = url?.hash === '' && /^\/?$/.test(url.pathname) && options.every(([name]) => name === 'tls')
  const isReadable = isPlain && [url.username, url.password].every(isEncoded)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !isReadable || options.length > 1) {
    throw new Fault(`an address such as \`smtp://host:587\`, or \`smtps://\` for TLS${WITH_LOGIN}.`)
  }
  if (!options.every(([, mode]) => mode === 'none') || (options.length > 0 && url.protocol === 'smtps:')) {
    throw new Fault('an address whose `tls` is `none`, for `smtp://` alone.')
  }
  return url.href
}

/** `Name <address>`, the name with or without quotation marks, or an address alone. */
const SENDER = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>|([^<>]+))$/u

export function parseEmailFrom(value: string | undefined): { name: string | null; address: string } | null {
  if (value === undefined) return null
  const [, name = '', bracketed, plain] = SENDER.exec(value) ?? []
  const address = (bracketed ?? plain ?? '').trim()
  if (!isAddress(address)) throw new Fault('an e-mail address, alone or after a name as in `Example <…>`.')
  return { name: name === '' ? null : name, address }
}

/** @param path Is appended. */
export function parseCollector(value: string | undefined, path = ''): string | null {
  if (value === undefined) return null
  const address = findAddress(value)
  if (address === undefined) throw new Fault('an http or https address without query, fragment or credentials.')
  return address + path
}

export function parsePublicUrl(value: string | undefined): string | null {
  if (value === undefined) return null
  const address = findAddress(value)
  if (address === undefined) throw new Fault('an http or https address without query, fragment or credentials.')
  if (!hasPlainPath(value))
    throw new Fault(
      'an address whose path has letters, digits, `.`, `_`, `~`, `-` and single `/` alone, and no part `.` or `..`.',
    )
  if (OWN_PATH.test(new URL(address).pathname))
    throw new Fault(
      'an address whose path does not begin with a path of the service itself, such as `/v1` or `/dashboard`.',
    )
  return address
}

/** A request below such a path could mean this one, or the same path below the one of PUBLIC_URL. */
const OWN_PATH = /^\/(v1|dashboard|org|sign-in|docs|openapi\.json|widget|healthz|readyz|metrics|demo)(\/|$)/

export function parseRegionHosts(value: string | undefined): Record<string, string> {
  const hosts: Record<string, string> = {}
  const faults = new Set<string>()
  for (const part of value === undefined ? [] : value.split(',')) {
    const [, region, text = ''] = /^([a-z][a-z0-9-]{0,15})=(.+)$/.exec(part.trim()) ?? []
    const host = hasPlainPath(text) ? findAddress(text) : undefined
    if (region === undefined) faults.add('a list such as `eu=https://eu.example.com,us=https://us.example.com`')
    else if (Object.hasOwn(hosts, region)) faults.add('a list that names each region once')
    else if (host === undefined) faults.add('a list with an http or https address for each region')
    if (region !== undefined) hosts[region] = host ?? ''
  }
  if (faults.size > 0) throw new Fault(`${[...faults].join(', and ')}.`)
  return hosts
}

export function parseRanges(value: string | undefined): string[] | null {
  if (value === undefined) return null
  return value.split(',').map((part) => {
    const [address = '', bits = '', ...rest] = part.trim().split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) {
      throw new Fault('a list of address ranges such as `10.0.0.0/8`.')
    }
    return `${address}/${bits}`
  })
}

export function parseRegion(value: string | undefined): string {
  if (value === undefined || !/^[a-z][a-z0-9-]{0,15}$/.test(value)) {
    throw new Fault('1 to 16 lower-case letters, digits or `-`, beginning with a letter.')
  }
  return value
}

/** Numbers of nodes, which ids contain: the first and the last. */
export interface NodeNumbers {
  first: number
  last: number
}

/** Node 31 is the command line. @throws Fault */
export function parseNodeNumbers(value: string | undefined): NodeNumbers {
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(value ?? '') ?? []
  const [first, last] = [Number(from), Number(to)]
  if (from === undefined || first > last || last > 30) throw new Fault('two numbers from 0 to 30, such as 0-9.')
  return { first, last }
}
