// Sends by any SMTP server, over a pool of connections, with TLS and DKIM.

import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { createTransport, type SMTPPoolOptions } from 'nodemailer'
import type {
  Credentials,
  MailProvider,
  MailSender,
  OutgoingMail,
  SendOutcome,
} from '../../domain/mail/mail-provider.ts'
import { checkFields } from './credential-fields.ts'
import { listSecrets } from './foreign-text.ts'
import { messageIdOf, toMimeOptions } from './mime.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { toSafeMail } from './safe-mail.ts'
import { readSmtpError } from './smtp-error.ts'

const TIMEOUT_MS = 30_000
const MAX_CONNECTIONS = 5

const FIELDS = [
  { name: 'host', label: 'Name or address of the server', isSecret: false, isRequired: true },
  { name: 'port', label: 'Port', isSecret: false, isRequired: false, byDefault: '587' },
  {
    name: 'tls',
    label: 'Encryption: by STARTTLS, from the first byte (port 465), or none (only to addresses of OUTBOUND_ALLOW)',
    isSecret: false,
    isRequired: false,
    values: ['starttls', 'implicit', 'none'],
    byDefault: 'starttls',
  },
  { name: 'user', label: 'User name', isSecret: false, isRequired: false },
  { name: 'password', label: 'Password', isSecret: true, isRequired: false },
  { name: 'dkimDomain', label: 'DKIM: domain that signs', isSecret: false, isRequired: false },
  { name: 'dkimSelector', label: 'DKIM: selector', isSecret: false, isRequired: false },
  { name: 'dkimPrivateKey', label: 'DKIM: private key (PEM)', isSecret: true, isRequired: false },
] as const

/** Creates the provider; it has no webhook and tracks nothing. */
export function createSmtp(deps: ProviderDeps): MailProvider {
  return {
    name: 'smtp',
    title: 'SMTP',
    takesIdempotencyKeys: false,
    tracksEngagement: false,
    usesWebhookPassword: false,
    fields: FIELDS,
    check: (credentials) => [...checkFields(FIELDS, credentials), ...checkTogether(credentials)],
    createSender: (credentials) => createSmtpSender(deps, credentials),
    createWebhookReader: null,
  }
}

function checkTogether(credentials: Credentials) {
  const { host, port, user, password, dkimDomain, dkimSelector, dkimPrivateKey } = credentials
  const dkim = [dkimDomain, dkimSelector, dkimPrivateKey].filter((value) => value !== undefined)
  const faults: [path: string, isFault: boolean, message: string][] = [
    ['host', host !== undefined && isIP(host) === 0 && !/^[a-z0-9_.-]{1,253}$/i.test(host), 'Is no name of a server.'],
    ['port', port !== undefined && !isPort(port), 'Is no port.'],
    ['password', (user === undefined) !== (password === undefined), 'User and password belong together.'],
    ['dkimDomain', dkim.length === 1 || dkim.length === 2, 'The three fields of DKIM belong together.'],
    ['dkimDomain', dkimDomain !== undefined && !/^[a-z0-9.-]+$/i.test(dkimDomain), 'Is no domain.'],
    ['dkimSelector', dkimSelector !== undefined && !/^[a-z0-9._-]+$/i.test(dkimSelector), 'Is no selector.'],
    ['dkimPrivateKey', dkimPrivateKey !== undefined && !isPrivateKey(dkimPrivateKey), 'Is no private key in PEM.'],
  ]
  return faults.filter(([, isFault]) => isFault).map(([path, , message]) => ({ path, message }))
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
}

function isPrivateKey(pem: string): boolean {
  try {
    return ['rsa', 'ed25519'].includes(createPrivateKey(pem).asymmetricKeyType ?? '')
  } catch {
    return false
  }
}

function createSmtpSender(deps: ProviderDeps, credentials: Credentials): MailSender {
  const { timeoutMs = TIMEOUT_MS } = deps
  const secrets = listSmtpSecrets(credentials)
  const transport = openPool(deps, credentials)
  const inProgress = new Set<Promise<SendOutcome>>()
  // Mails, by their signals, that were read to the end: all of such a mail may have reached the server.
  const handedOver = new WeakSet<AbortSignal>()

  transport.use('stream', ({ data, message }, done) => {
    const createReadStream = message.createReadStream.bind(message)
    message.createReadStream = (options) => {
      const stream = createReadStream(options)
      stream.once('end', () => data.signal !== undefined && handedOver.add(data.signal))
      return stream
    }
    done()
  })

  async function handOver(mail: OutgoingMail): Promise<SendOutcome> {
    const safe = toSafeMail(mail)
    if ('refused' in safe) return { outcome: 'refused', error: safe.refused }
    // A server that trickles its answers would never run into the time-out of a silent socket.
    const signal = AbortSignal.timeout(2 * timeoutMs)
    try {
      await transport.sendMail({ ...toMimeOptions(safe.mail), signal })
      return { outcome: 'accepted', providerMessageId: messageIdOf(safe.mail) }
    } catch (error) {
      return readSmtpError(error, { wasHandedOver: handedOver.has(signal), secrets })
    }
  }

  return {
    send(mail) {
      const sending = handOver(mail)
      inProgress.add(sending)
      return sending.finally(() => inProgress.delete(sending))
    },
    async close() {
      await Promise.all(inProgress)
      transport.close()
    },
  }
}

function openPool({ connect, timeoutMs = TIMEOUT_MS, trustedCa }: ProviderDeps, credentials: Credentials) {
  const { host = '', port = '587', user, password, dkimDomain, dkimSelector, dkimPrivateKey } = credentials
  const tls = credentials.tls ?? (port === '465' ? 'implicit' : 'starttls')
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Of a connection that the server had closed while it was idle; a mail that was begun is never sent again.
    maxRequeues: 1,
    host,
    port: Number(port),
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(trustedCa !== undefined && { ca: trustedCa }) },
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
    ...(dkimDomain !== undefined &&
      dkimSelector !== undefined &&
      dkimPrivateKey !== undefined && {
        dkim: { domainName: dkimDomain, keySelector: dkimSelector, privateKey: dkimPrivateKey },
      }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options, callback) {
      connect({ host, port: Number(port), usesTls: tls !== 'none' }).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      )
    },
  }
  return createTransport(options)
}

function listSmtpSecrets(credentials: Credentials): string[] {
  const { user = '', password } = credentials
  const plain = password === undefined ? [] : [Buffer.from(`\0${user}\0${password}`).toString('base64')]
  return [...listSecrets(FIELDS, credentials), ...plain]
}
