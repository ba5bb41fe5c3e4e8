// Turns the address of an SMTP server into the credentials of the provider `smtp`.

import type { Credentials } from '../../domain/mail/mail-provider.ts'

const FORM = 'smtp://user:password@host:587 or smtps://user:password@host:465'

/**
 * `smtp://` wants STARTTLS unless `?tls=none` follows, `smtps://` has TLS from the first byte.
 *
 * @throws Error whose message contains no part of the address
 */
export function parseSmtpUrl(text: string): Credentials {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
    throw new Error(`The address must have the form ${FORM}.`)
  }
  if (!/^\/?$/.test(url.pathname) || url.hash !== '' || !/^(?:\?tls=none)?$/.test(url.search)) {
    throw new Error(`Nothing but ?tls=none may follow the host of ${FORM}.`)
  }
  const isImplicit = url.protocol === 'smtps:'
  if (isImplicit && url.search !== '') throw new Error('smtps:// and ?tls=none contradict each other.')
  const [user, password] = [decode(url.username), decode(url.password)]
  if ((user === '') !== (password === '')) throw new Error('User and password of the address belong together.')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isImplicit ? '465' : '587') : url.port,
    tls: isImplicit ? 'implicit' : url.search === '' ? 'starttls' : 'none',
    ...(user !== '' && { user, password }),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('User or password of the address is not percent-encoded.')
  }
}
