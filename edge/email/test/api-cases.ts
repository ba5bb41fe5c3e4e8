// Lists the HTTP providers with what their APIs receive and answer, from their documentation.

import type { MailProviderName } from '../../../contract/tenant.ts'
import type { Credentials, OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { type GivenProviderApi, MAIL } from './given-provider-api.ts'

type ReceivedCall = GivenProviderApi['calls'][number]

interface Answer {
  status: number
  /** As JSON. */
  body: unknown
}

export interface ApiCase {
  name: Exclude<MailProviderName, 'smtp'>
  credentials: Credentials
  accepts: { status: number; text: string; headers?: Record<string, string> }
  providerMessageId: string
  /** What the API receives for `NAMED_MAIL`. */
  path: string
  headers: Record<string, string>
  body: unknown
  parseBody(call: ReceivedCall): unknown
  /** About the mail. */
  refuses: Answer[]
  /** Whether the first of them says that the recipient takes no mails. */
  isUnknownAddress?: boolean
  /** About the account. */
  fails: Answer[]
  /** The error of the first of `refuses`. */
  words: string
}

const parseJson = ({ body }: ReceivedCall): unknown => JSON.parse(body)
const headers = { 'List-Unsubscribe': '<https://n.example/u/1>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
export const NAMED_MAIL: OutgoingMail = {
  ...MAIL,
  from: { name: 'Shop "Ä"', address: 'orders@shop.example' },
  to: { name: 'Zoë 🎉', address: 'zoe@customer.example' },
  replyTo: 'help@shop.example',
  subject: 'Größe ✓ "ready"',
  html: '<p>Hello <b>Zoë</b></p>',
  text: 'Hello Zoë',
  headers,
}
const FROM = '"Shop \\"Ä\\"" <orders@shop.example>'
const TO = '"Zoë 🎉" <zoe@customer.example>'

export const API_CASES: ApiCase[] = [
  {
    name: 'sendgrid',
    credentials: { apiKey: 'SG.secret-of-sendgrid' },
    accepts: { status: 202, text: '', headers: { 'x-message-id': 'kfGvnBJcSZ6qjGTSUyN5Mw' } },
    providerMessageId: 'kfGvnBJcSZ6qjGTSUyN5Mw',
    path: '/v3/mail/send',
    headers: { authorization: 'Bearer SG.secret-of-sendgrid', 'content-type': 'application/json' },
    parseBody: parseJson,
    body: {
      personalizations: [
        { to: [{ email: 'zoe@customer.example', name: 'Zoë 🎉' }], custom_args: { messageId: MAIL.messageId } },
      ],
      from: { email: 'orders@shop.example', name: 'Shop "Ä"' },
      reply_to: { email: 'help@shop.example' },
      subject: 'Größe ✓ "ready"',
      content: [
        { type: 'text/plain', value: 'Hello Zoë' },
        { type: 'text/html', value: '<p>Hello <b>Zoë</b></p>' },
      ],
      headers,
      tracking_settings: { open_tracking: { enable: true }, click_tracking: { enable: false, enable_text: false } },
    },
    refuses: [
      {
        status: 400,
        body: { errors: [{ message: 'Does not contain a valid address.', field: 'personalizations.0.to.0.email' }] },
      },
      { status: 413, body: {} },
    ],
    fails: [
      { status: 401, body: { errors: [{ message: 'Maximum credits exceeded', field: null, help: null }] } },
      { status: 403, body: { errors: [{ message: 'The from address does not match a verified Sender Identity.' }] } },
    ],
    words: '400: Does not contain a valid address.',
  },
  {
    name: 'postmark',
    credentials: { serverToken: 'secret-of-postmark' },
    accepts: {
      status: 200,
      text: '{"To":"zoe@customer.example","MessageID":"0a129aee-e1cd-480d-b08d-4f48548ff48d","ErrorCode":0,"Message":"OK"}',
    },
    providerMessageId: '0a129aee-e1cd-480d-b08d-4f48548ff48d',
    path: '/email',
    headers: { 'x-postmark-server-token': 'secret-of-postmark', 'content-type': 'application/json' },
    parseBody: parseJson,
    body: {
      From: FROM,
      To: TO,
      ReplyTo: 'help@shop.example',
      Subject: 'Größe ✓ "ready"',
      HtmlBody: '<p>Hello <b>Zoë</b></p>',
      TextBody: 'Hello Zoë',
      Headers: [
        { Name: 'List-Unsubscribe', Value: '<https://n.example/u/1>' },
        { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
      ],
      Metadata: { messageId: MAIL.messageId },
      TrackOpens: true,
      TrackLinks: 'None',
      MessageStream: 'outbound',
    },
    isUnknownAddress: true,
    refuses: [
      {
        status: 422,
        body: { ErrorCode: 406, Message: 'You tried to send to a recipient that has been marked as inactive.' },
      },
      { status: 422, body: { ErrorCode: 300, Message: 'Invalid email request' } },
    ],
    fails: [
      { status: 401, body: { ErrorCode: 10, Message: 'Bad or missing API token' } },
      { status: 422, body: { ErrorCode: 405, Message: 'Not allowed to send: out of credits' } },
      { status: 422, body: { ErrorCode: 400, Message: 'Sender signature not found' } },
    ],
    words: '422: You tried to send to a recipient that has been marked as inactive.',
  },
  {
    name: 'mailgun',
    credentials: { apiKey: 'secret-of-mailgun', domain: 'mg.shop.example', region: 'eu' },
    accepts: { status: 200, text: '{"id":"<20260203192638.000be97f@mg.shop.example>","message":"Queued. Thank you."}' },
    providerMessageId: '20260203192638.000be97f@mg.shop.example',
    path: '/v3/mg.shop.example/messages',
    headers: {
      authorization: basic('api:secret-of-mailgun'),
      'content-type': 'application/x-www-form-urlencoded',
    },
    parseBody: ({ body }) => Object.fromEntries(new URLSearchParams(body)),
    body: {
      from: FROM,
      to: TO,
      subject: 'Größe ✓ "ready"',
      text: 'Hello Zoë',
      html: '<p>Hello <b>Zoë</b></p>',
      'o:tracking-opens': 'yes',
      'o:tracking-clicks': 'no',
      'v:messageId': MAIL.messageId,
      'h:Reply-To': 'help@shop.example',
      'h:List-Unsubscribe': '<https://n.example/u/1>',
      'h:List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    refuses: [{ status: 400, body: { message: "'to' parameter is not a valid address. please check documentation" } }],
    fails: [
      { status: 401, body: 'Forbidden' },
      { status: 403, body: { message: 'Domain mg.shop.example is not allowed to send: disabled' } },
      { status: 404, body: { message: 'Domain not found: mg.shop.example' } },
      { status: 402, body: { message: 'Payment required' } },
    ],
    words: "400: 'to' parameter is not a valid address. please check documentation",
  },
  {
    name: 'resend',
    credentials: { apiKey: 're_secret-of-resend' },
    accepts: { status: 200, text: '{"id":"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}' },
    providerMessageId: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794',
    path: '/emails',
    headers: {
      authorization: 'Bearer re_secret-of-resend',
      'idempotency-key': MAIL.idempotencyKey,
      'user-agent': 'notification-center',
    },
    parseBody: parseJson,
    body: {
      from: FROM,
      to: [TO],
      reply_to: 'help@shop.example',
      subject: 'Größe ✓ "ready"',
      html: '<p>Hello <b>Zoë</b></p>',
      text: 'Hello Zoë',
      headers,
      tags: [{ name: 'messageId', value: MAIL.messageId }],
    },
    refuses: [
      { status: 422, body: { statusCode: 422, name: 'validation_error', message: 'Invalid `to` field.' } },
      { status: 400, body: { statusCode: 400, name: 'validation_error', message: 'Invalid `to` field.' } },
    ],
    fails: [
      { status: 401, body: { statusCode: 401, name: 'missing_api_key', message: 'Missing API key' } },
      { status: 403, body: { statusCode: 403, name: 'validation_error', message: 'The domain is not verified.' } },
    ],
    words: '422: Invalid `to` field.',
  },
  {
    name: 'brevo',
    credentials: { apiKey: 'xkeysib-secret-of-brevo' },
    accepts: { status: 201, text: '{"messageId":"<201798300811.5787683@smtp-relay.mailin.fr>"}' },
    providerMessageId: '<201798300811.5787683@smtp-relay.mailin.fr>',
    path: '/v3/smtp/email',
    headers: { 'api-key': 'xkeysib-secret-of-brevo', 'content-type': 'application/json' },
    parseBody: parseJson,
    body: {
      sender: { email: 'orders@shop.example', name: 'Shop "Ä"' },
      to: [{ email: 'zoe@customer.example', name: 'Zoë 🎉' }],
      replyTo: { email: 'help@shop.example' },
      subject: 'Größe ✓ "ready"',
      htmlContent: '<p>Hello <b>Zoë</b></p>',
      textContent: 'Hello Zoë',
      headers: { ...headers, 'X-Mailin-custom': MAIL.messageId },
    },
    refuses: [{ status: 400, body: { code: 'invalid_parameter', message: 'email is not valid in to' } }],
    fails: [
      { status: 401, body: { code: 'unauthorized', message: 'Key not found' } },
      { status: 400, body: { code: 'not_enough_credits', message: 'Not enough credits' } },
      { status: 402, body: { code: 'not_enough_credits', message: 'Not enough credits' } },
    ],
    words: '400: email is not valid in to',
  },
  {
    name: 'mailjet',
    credentials: { apiKey: 'key-of-mailjet', secretKey: 'secret-of-mailjet' },
    // Larger than a double holds.
    accepts: { status: 200, text: '{"Messages":[{"Status":"success","To":[{"MessageID":1152921514578378531}]}]}' },
    providerMessageId: '1152921514578378531',
    path: '/v3.1/send',
    headers: { authorization: basic('key-of-mailjet:secret-of-mailjet'), 'content-type': 'application/json' },
    parseBody: parseJson,
    body: {
      Messages: [
        {
          From: { Email: 'orders@shop.example', Name: 'Shop "Ä"' },
          To: [{ Email: 'zoe@customer.example', Name: 'Zoë 🎉' }],
          ReplyTo: { Email: 'help@shop.example' },
          Subject: 'Größe ✓ "ready"',
          TextPart: 'Hello Zoë',
          HTMLPart: '<p>Hello <b>Zoë</b></p>',
          CustomID: MAIL.messageId,
          Headers: headers,
          TrackOpens: 'enabled',
          TrackClicks: 'disabled',
        },
      ],
    },
    refuses: [
      {
        status: 400,
        body: {
          Messages: [
            {
              Status: 'error',
              Errors: [{ ErrorCode: 'mj-0013', StatusCode: 400, ErrorMessage: '"zoe" is an invalid email address.' }],
            },
          ],
        },
      },
    ],
    fails: [
      { status: 401, body: { ErrorMessage: 'API key authentication/authorization failure.', StatusCode: 401 } },
      {
        status: 400,
        body: {
          Messages: [
            {
              Status: 'error',
              Errors: [{ ErrorCode: 'send-0008', StatusCode: 403, ErrorMessage: 'Sender not active.' }],
            },
          ],
        },
      },
    ],
    words: '400: "zoe" is an invalid email address.',
  },
]
