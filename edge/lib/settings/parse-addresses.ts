// Parses the settings that are addresses: of the database, of Redis, of the mail server and of the sender of mails.

import { isAddress } from '../mail-address.ts'
import { isEncoded, readDatabaseUrl } from './database-url.ts'
import { Fault } from './setting.ts'

/** Describes a login without an example, which would be scrubbed from the message like a real login. */
const WITH_LOGIN = ', and user and password before the host'

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
  if (!isAddress(address)) throw new Fault('an address such as `news@example.com`, or `Example <news@example.com>`.')
  return { name: name === '' ? null : name, address }
}
