// Sends by SMTP: pooled connections with TLS, login and DKIM, to addresses that the outbound guard allows.

import { createPrivateKey } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type {
  Credentials,
  MailProvider,
  MailSender,
  OutgoingMail,
  SendOutcome,
} from '../../domain/mail/mail-provider.ts'
import { type AddressRule, createAddressRule } from '../../lib/outbound/address-rule.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { createResolve, type Resolve } from '../../lib/outbound/resolve.ts'
import { messageIdOf, toMailOptions } from '../build-mime.ts'

export interface SmtpDeps {
  /** Ranges of OUTBOUND_ALLOW. */
  allow: readonly string[]
  /** Default: name servers, and with allowed ranges the system for names that they do not know. */
  resolve?: Resolve | undefined
  /** Certificates of authorities beside the usual ones (PEM). */
  ca?: string | undefined
}

const CONNECT_MS = 10_000
const SOCKET_MS = 30_000
const CONNECTIONS = 10
const MAX_WORDS = 500
/** Answers that are about the account and not about the mail (RFC 4954). */
const ACCOUNT_CODES = new Set([530, 534, 535, 538])

export function createSmtpProvider({ allow, resolve, ca }: SmtpDeps): MailProvider {
  const rule = createAddressRule(allow)
  const find = resolve ?? createResolve({ asksSystem: allow.length > 0 })
  return {
    name: 'smtp',
    title: 'SMTP',
    takesIdempotencyKeys: false,
    tracksEngagement: false,
    fields: [
      { name: 'host', label: 'Host', isSecret: false, isRequired: true },
      { name: 'port', label: 'Port', isSecret: false, isRequired: false, byDefault: '587' },
      {
        name: 'tls',
        label: 'Encryption',
        isSecret: false,
        isRequired: false,
        values: ['starttls', 'tls', 'none'],
        byDefault: 'starttls',
      },
      { name: 'user', label: 'User', isSecret: false, isRequired: false },
      { name: 'password', label: 'Password', isSecret: true, isRequired: false },
      { name: 'dkimDomain', label: 'DKIM domain', isSecret: false, isRequired: false },
      { name: 'dkimSelector', label: 'DKIM selector', isSecret: false, isRequired: false },
      { name: 'dkimPrivateKey', label: 'DKIM private key (PEM)', isSecret: true, isRequired: false },
    ],
    check: checkCredentials,
    createSender: (credentials) => createSender(credentials, { rule, resolve: find, ca }),
    createWebhookReader: null,
    usesWebhookPassword: false,
  }
}

/** @param url As in SMTP_URL: `smtp://user:password@host:587`, `smtps://host`, `smtp://host?tls=none`. */
export function smtpCredentialsOf(url: string): Credentials {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const isTls = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? '465' : '587') : port,
    tls: isTls ? 'tls' : searchParams.get('tls') === 'none' ? 'none' : 'starttls',
    ...(username !== '' && { user: decodeURIComponent(username), password: decodeURIComponent(password) }),
  }
}

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i

function checkCredentials(credentials: Credentials): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = []
  const fault = (path: string, message: string) => faults.push({ path, message })
  const { host = '', port = '587', user, password, dkimDomain, dkimSelector, dkimPrivateKey } = credentials
  if (!HOST.test(host) && isIP(host) === 0) fault('host', 'This is no host name or address.')
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    fault('port', 'This must be a number from 1 to 65535.')
  }
  if ((user === undefined) !== (password === undefined)) {
    fault(user === undefined ? 'user' : 'password', 'User and password belong together.')
  }
  const dkim = { dkimDomain, dkimSelector, dkimPrivateKey }
  const given = Object.entries(dkim).filter(([, value]) => value !== undefined)
  if (given.length > 0 && given.length < 3) {
    for (const [path, value] of Object.entries(dkim)) {
      if (value === undefined) fault(path, 'DKIM needs domain, selector and private key.')
    }
  }
  if (dkimPrivateKey !== undefined && !isPrivateKey(dkimPrivateKey)) {
    fault('dkimPrivateKey', 'This is no private key in PEM.')
  }
  return faults
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType !== undefined
  } catch {
    return false
  }
}

interface Reach {
  rule: AddressRule
  resolve: Resolve
  ca: string | undefined
}

/** Set by the transport when it makes the stream of a mail: whether the server got any byte of it. */
interface Sent {
  stream?: Readable
}

function createSender(credentials: Credentials, reach: Reach): MailSender {
  const { host = '', port = '587', tls = 'starttls', user, password = '' } = credentials
  const { dkimDomain, dkimSelector, dkimPrivateKey } = credentials
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // Another connection gets a mail only when no byte of it was sent.
    maxRequeues: 2,
    host,
    port: Number(port),
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && { auth: { user, pass: password } }),
    ...(dkimPrivateKey !== undefined && {
      dkim: { domainName: dkimDomain ?? '', keySelector: dkimSelector ?? '', privateKey: dkimPrivateKey },
    }),
    ...(reach.ca !== undefined && { tls: { ca: reach.ca } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, callback: (error: Error | null, socket?: { connection: Socket }) => void) => {
      openSocket(host, Number(port), reach).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      )
    },
  })
  transport.use('stream', (mail, done) => {
    const { sent } = mail.data as SendMailOptions & { sent: Sent }
    const { message } = mail
    const make = message.createReadStream.bind(message)
    message.createReadStream = (...args) => {
      sent.stream = make(...args)
      return sent.stream as ReturnType<typeof make>
    }
    done()
  })
  return {
    async send(mail) {
      const sent: Sent = {}
      try {
        const options: SendMailOptions & { sent: Sent } = { ...toMailOptions(mail), sent }
        await transport.sendMail(options)
        return { outcome: 'accepted', providerMessageId: messageIdOf(mail) }
      } catch (error) {
        return outcomeOf(error as SmtpError, sent, mail)
      }
    },
    async close() {
      transport.close()
    },
  }
}

/** Connects to an address of the host that may be reached: the checked one itself, so that the name cannot change meanwhile. */
async function openSocket(host: string, port: number, { rule, resolve }: Reach): Promise<Socket> {
  const addresses = isIP(host) === 0 ? await addressesOf(host, resolve) : [host]
  const address = addresses.find((one) => rule(one) !== 'refused')
  if (address === undefined) throw new OutboundError('forbidden-address')
  return new Promise((resolveSocket, reject) => {
    const socket = connect({ host: address, port, timeout: CONNECT_MS })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once('timeout', () => fail(new OutboundError('timeout')))
    socket.once('connect', () => {
      socket.removeAllListeners('error').removeAllListeners('timeout').setTimeout(0)
      if (socket.remoteAddress === undefined || rule(socket.remoteAddress) === 'refused') {
        fail(new OutboundError('forbidden-address'))
      } else {
        resolveSocket(socket)
      }
    })
  })
}

function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  return new Promise((settle, reject) => {
    resolve(host, { all: true }, (error, found) => {
      if (error !== null) reject(new OutboundError('unreachable', { cause: error }))
      else settle(found.map(({ address }) => address))
    })
  })
}

interface SmtpError extends Error {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

function outcomeOf(error: SmtpError, { stream }: Sent, { from }: OutgoingMail): SendOutcome {
  const words = wordsOf(error)
  const { responseCode } = error
  if (responseCode !== undefined && responseCode > 0) {
    const isOfMail = /^(?:MAIL FROM|RCPT TO|DATA)$/.test(error.command ?? '') && !ACCOUNT_CODES.has(responseCode)
    return responseCode >= 500 && isOfMail
      ? { outcome: 'refused', error: words }
      : { outcome: 'unavailable', error: words }
  }
  // No address that this server can express: the sender's is ours, the recipient's belongs to the mail.
  if (error.code === 'EENVELOPE') {
    return words.includes(from.address)
      ? { outcome: 'unavailable', error: words }
      : { outcome: 'refused', error: words }
  }
  if (stream?.readableDidRead === true) return { outcome: 'unknown', error: words }
  return { outcome: 'unavailable', error: words }
}

/** One line for people. */
function wordsOf({ message, response }: SmtpError): string {
  const text = (response ?? message).replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return text.length <= MAX_WORDS ? text : `${text.slice(0, MAX_WORDS - 1)}…`
}
