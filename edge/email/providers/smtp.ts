// Sends mails to an SMTP server over a pool of connections, each of which passes the outbound guard.

import type { Readable } from 'node:stream'
import { createTransport, type NodemailerError, type SendMailOptions, type SMTPPoolOptions } from 'nodemailer'
import type {
  Credentials,
  MailProvider,
  MailSender,
  OutgoingMail,
  SendOutcome,
} from '../../domain/mail/mail-provider.ts'
import { createAddressRule } from '../../lib/outbound/address-rule.ts'
import { openGuardedSocket } from '../../lib/outbound/guarded-socket.ts'
import { createResolve, type Resolve } from '../../lib/outbound/resolve.ts'
import { messageIdOf, renderErrorOf, toMailOptions } from '../build-mime.ts'
import { checkSmtpCredentials, readSmtpCredentials, SMTP_FIELDS, type SmtpAccess } from './smtp-credentials.ts'
import { secretForms, toLine, toSendOutcome } from './smtp-outcome.ts'
import { isUtf8Mail, sendUtf8Mail } from './smtp-utf8.ts'

const CONNECTIONS = 10
const TIME_LIMITS = { connectMs: 10_000, greetingMs: 10_000, socketMs: 30_000 }
/** Of one answer of the server. */
const MAX_RESPONSE_BYTES = 64 * 1024

export interface SmtpProviderDeps {
  /** Ranges of OUTBOUND_ALLOW. */
  allow: readonly string[]
  /** Resolves names. Default: name servers, and with allowed ranges the system for names that they do not know. */
  resolve?: Resolve
  /** Certificate of an authority in place of the public ones. For tests. */
  ca?: string
  /** Shorter ones, for tests. */
  timeLimits?: Partial<typeof TIME_LIMITS>
}

export function createSmtpProvider(deps: SmtpProviderDeps): MailProvider {
  const limits = limitsOf(deps)
  return {
    name: 'smtp',
    title: 'SMTP',
    takesIdempotencyKeys: false,
    tracksEngagement: false,
    fields: SMTP_FIELDS,
    check: checkSmtpCredentials,
    createSender: (credentials) => createSmtpSender(credentials, deps, limits),
    tryAccount: null,
    createWebhookReader: null,
    usesWebhookPassword: false,
  }
}

function createSmtpSender(credentials: Credentials, deps: SmtpProviderDeps, limits: typeof TIME_LIMITS): MailSender {
  const access = readSmtpCredentials(credentials)
  const secrets = secretForms(access.login)
  const pool = smtpOptions(access, deps)
  const transport = createTransport(pool)
  transport.use('stream', (mail, done) => {
    const { message } = mail
    const { onStream } = mail.data as TrackedOptions
    const open = message.createReadStream.bind(message)
    message.createReadStream = (options) => {
      const stream = open(options)
      onStream(stream)
      return stream
    }
    done()
  })
  const inProgress = new Set<Promise<SendOutcome>>()
  let isClosed = false

  /** @param usedUp connections on which the server had ended before it took a byte of this mail */
  async function deliver(mail: OutgoingMail, usedUp = 0): Promise<SendOutcome> {
    let stream: Readable | undefined
    let startedAt = 0
    try {
      const options: TrackedOptions = {
        ...(await toMailOptions(mail, access.dkim)),
        onStream(opened) {
          stream = opened
          startedAt = performance.now()
        },
      }
      // One of several recipients may be refused, and the mail goes to the others.
      if (isUtf8Mail(mail)) stream = options.raw
      const { response, rejectedErrors = [] } = isUtf8Mail(mail)
        ? await sendUtf8Mail(pool, mail, options.raw)
        : await transport.sendMail(options)
      const refusal = rejectedErrors.find(({ recipient }) => recipient === mail.to.address)
      if (refusal !== undefined) {
        // Another attempt would send the copies again.
        const outcome = toSendOutcome(refusal, false, secrets)
        return 'error' in outcome ? { ...outcome, outcome: 'refused' } : outcome
      }
      return { outcome: 'accepted', providerMessageId: messageIdOf(mail), answer: toLine(response, secrets) }
    } catch (error) {
      const unbuilt = renderErrorOf(error)
      if (unbuilt !== undefined) return unbuilt
      // Each has left the pool, so that a new connection comes after the last of them. One that was silent is no such case:
      // the others would be silent, too.
      const isSilent = performance.now() - startedAt >= limits.socketMs
      if (wasUsedUp(error as NodemailerError, stream) && !isSilent && usedUp < CONNECTIONS) {
        return deliver(mail, usedUp + 1)
      }
      // The connection reads the message after the server asked for its data, and ends it with a dot after the last byte.
      return toSendOutcome(error as NodemailerError, stream?.readableEnded === true, secrets)
    }
  }

  return {
    async send(mail) {
      if (isClosed) return { outcome: 'unavailable', error: 'The connections to the mail server are closed.' }
      const sending = deliver(mail)
      inProgress.add(sending)
      try {
        return await sending
      } finally {
        inProgress.delete(sending)
      }
    },
    async close() {
      isClosed = true
      await Promise.all(inProgress)
      transport.close()
    },
  }
}

/**
 * The server ended a connection that had sent other mails, by 421 or while it was idle. Then the pool has an error of its
 * own, without a command; the errors of a new connection have one.
 */
function wasUsedUp({ code, command, responseCode }: NodemailerError, stream: Readable | undefined): boolean {
  return (
    stream?.readableDidRead === false && code === 'ECONNECTION' && command === undefined && responseCode === undefined
  )
}

/** With a listener that takes the stream of the message when a connection starts to send it. */
interface TrackedOptions extends SendMailOptions {
  raw: Readable
  onStream(stream: Readable): void
}

const limitsOf = ({ timeLimits }: SmtpProviderDeps) => ({ ...TIME_LIMITS, ...timeLimits })

/** @returns The options of a pool of guarded connections. */
export function smtpOptions(
  { host, port, tls, login }: SmtpAccess,
  deps: SmtpProviderDeps,
): SMTPPoolOptions & { pool: true } {
  const { allow, resolve = createResolve({ asksSystem: allow.length > 0 }), ca } = deps
  const limits = limitsOf(deps)
  const guard = { rule: createAddressRule(allow), resolve, timeoutMs: limits.connectMs }
  return {
    pool: true,
    maxConnections: CONNECTIONS,
    // The pool would send a mail again after its connection ended, although the server may have taken it.
    maxRequeues: 0,
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    // Without `forceAuth` a mail goes out without a login when the server does not offer one.
    ...(login !== null && { auth: login, forceAuth: true }),
    getSocket(_options, callback) {
      openGuardedSocket(guard, host, port).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      )
    },
    // Of connection, greeting and STARTTLS together; the guarded socket keeps the limit of the connection.
    connectionTimeout: limits.connectMs + limits.greetingMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.socketMs,
    maxResponseSize: MAX_RESPONSE_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
    debug: false,
    transactionLog: false,
  }
}
