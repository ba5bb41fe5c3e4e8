// Tests each HTTP provider against a real server: what it receives, and what becomes of a mail for each kind of answer.

import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { API_CASES } from '../test/api-cases.ts'
import { type ApiServer, answerJson, startApiServer } from '../test/api-server.ts'
import { type GivenDeps, givenDeps, givenMail } from '../test/given-mail.ts'
import { createMailProviders } from './mail-providers.ts'

let server: ApiServer
let deps: GivenDeps
beforeEach(async () => {
  server = await startApiServer()
  deps = givenDeps({ timeoutMs: 2000 })
})
afterEach(() => Promise.all([server.close(), deps.close()]))

describe.each(API_CASES)('$name', (given) => {
  const createSender = (changes: object = {}, from: GivenDeps = deps) => {
    const provider = createMailProviders(from).get(given.name)
    if (provider === undefined) throw new Error(`No provider ${given.name}`)
    const credentials = { ...given.credentials, baseUrl: server.url, ...changes }
    expect(provider.check(credentials)).toEqual([])
    return provider.createSender(credentials)
  }
  const accept = (response: ServerResponse) => {
    const { status, body, headers } = given.accepts
    const text = body === '' ? '' : JSON.stringify(body).replace('"MessageID":0', '"MessageID":1152921514578378531')
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }

  test('the API receives the mail, and its answer accepts it', async () => {
    server.handle = (_call, response) => accept(response)
    const sender = createSender()
    expect(await sender.send(givenMail())).toEqual({
      outcome: 'accepted',
      providerMessageId: given.providerMessageId,
    })
    const [call] = server.calls
    expect(call).toMatchObject({ method: 'POST', path: given.path, headers: given.headers })
    expect(call && given.parseBody(call)).toEqual(given.body)
    await sender.close()
  })

  test('an answer about the mail refuses it, with the words of the provider', async () => {
    const sender = createSender()
    for (const { status, body } of given.refuses) {
      server.handle = (_call, response) => answerJson(response, status, body)
      expect(await sender.send(givenMail())).toMatchObject({ outcome: 'refused' })
    }
    const [first] = given.refuses
    server.handle = (_call, response) => answerJson(response, first?.status ?? 0, first?.body)
    expect(await sender.send(givenMail())).toEqual({ outcome: 'refused', error: given.words })
  })

  test('an answer about the account leaves the mail to another provider', async () => {
    const sender = createSender()
    for (const { status, body } of given.fails) {
      server.handle = (_call, response) => answerJson(response, status, body)
      expect(await sender.send(givenMail()), JSON.stringify(body)).toMatchObject({ outcome: 'unavailable' })
    }
    for (const status of [500, 502, 503]) {
      server.handle = (_call, response) => response.writeHead(status).end('<html>Bad gateway</html>')
      expect(await sender.send(givenMail())).toMatchObject({ outcome: 'unavailable' })
    }
  })

  test('a limit tells when to try again', async () => {
    server.handle = (_call, response) => answerJson(response, 429, {}, { 'retry-after': '7' })
    expect(await createSender().send(givenMail())).toMatchObject({ outcome: 'unavailable', retryAfterMs: 7000 })
  })

  test('a call that is cut or hangs after it was sent leaves the outcome unknown', async () => {
    server.handle = (_call, response) => response.socket?.destroy()
    expect(await createSender().send(givenMail())).toMatchObject({ outcome: 'unknown' })
    server.handle = () => {}
    const hasty = createSender({}, { ...deps, timeoutMs: 100 })
    expect(await hasty.send(givenMail())).toMatchObject({ outcome: 'unknown' })
    server.handle = (_call, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"id"')
      response.socket?.end()
    }
    expect(await createSender().send(givenMail())).toMatchObject({ outcome: 'unknown' })
    expect(server.calls).toHaveLength(3)
  })

  test.runIf(given.name !== 'sendgrid')('a success with a body of something else is unknown', async () => {
    for (const body of ['<html>Welcome</html>', '[]', '{}', '{"id":{}}', '{"Messages":[null]}', '\xff']) {
      server.handle = (_call, response) => response.writeHead(200).end(body, 'latin1')
      expect(await createSender().send(givenMail()), body).toMatchObject({ outcome: 'unknown' })
    }
  })

  test('what was not sent is unavailable: a closed port, an internal address, a redirect', async () => {
    server.handle = (_call, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
    expect(await createSender().send(givenMail())).toMatchObject({ outcome: 'unavailable' })
    const closed = createSender({ baseUrl: 'http://127.0.0.1:1' })
    expect(await closed.send(givenMail())).toMatchObject({ outcome: 'unavailable' })
    const guarded = givenDeps({}, [])
    const outcome = await createSender({}, guarded).send(givenMail())
    expect(outcome).toMatchObject({ outcome: 'unavailable', error: expect.stringContaining('OUTBOUND_ALLOW') })
    await guarded.close()
    expect(server.calls).toHaveLength(1)
  })

  test('an error is one line of at most 500 characters, without credentials', async () => {
    server.handle = ({ headers }, response) => {
      const words = `You\r\nsent\0 ${JSON.stringify(headers)} ${JSON.stringify(given.credentials)} ${'x'.repeat(1000)}`
      const errors = [{ message: words, ErrorMessage: words, StatusCode: 500 }]
      answerJson(response, 500, { message: words, Message: words, errors, Messages: [{ Errors: errors }] })
    }
    const outcome = await createSender().send(givenMail())
    const error = 'error' in outcome ? outcome.error : ''
    expect(error).toContain('You sent')
    expect(error).toHaveLength(500)
    expect(error).not.toMatch(/\p{Cc}/u)
    for (const [name, value] of Object.entries(given.credentials)) {
      if (!['domain', 'region'].includes(name) && value !== 'key-of-mailjet') expect(error).not.toContain(value)
    }
    expect(error).not.toContain(Buffer.from(Object.values(given.credentials).join(':')).toString('base64'))
  })

  test('a mail without name, text and reply address is sent', async () => {
    server.handle = (_call, response) => accept(response)
    const bare = givenMail({
      from: { name: null, address: 'orders@shop.example' },
      to: { name: null, address: 'zoe@customer.example' },
      replyTo: null,
      text: '',
      headers: {},
    })
    expect(await createSender().send(bare)).toMatchObject({ outcome: 'accepted' })
    expect(server.calls[0]?.body).not.toMatch(/null|undefined/)
  })

  test('closing waits for a mail in progress', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    server.handle = (_call, response) => void held.then(() => accept(response))
    const sender = createSender()
    const sent = sender.send(givenMail())
    const closed = sender.close().then(() => 'closed')
    await expect.poll(() => server.calls.length).toBe(1)
    expect(await Promise.race([closed, Promise.resolve('open')])).toBe('open')
    release()
    expect(await sent).toMatchObject({ outcome: 'accepted' })
    expect(await closed).toBe('closed')
  })
})

test('a repeated idempotency key of Resend leaves the outcome unknown', async () => {
  server.handle = (_call, response) =>
    answerJson(response, 409, { name: 'concurrent_idempotent_requests', message: 'Same key' })
  const resend = createMailProviders(deps).get('resend')
  const sender = resend?.createSender({ apiKey: 're_1', baseUrl: server.url })
  expect(await sender?.send(givenMail())).toMatchObject({ outcome: 'unknown' })
})
