// Tests `nc source …` beside a running server: each change holds for the next delivery.

import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer, SourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { givenSources, trackCall } from '../support/given-sources.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

test('mappings are tried and changed', async () => {
  const nc = givenNc(given.settings)
  const env = given.demo.environments.dev.id
  const write = (name: string, content: unknown) => {
    const file = join(given.settings.DATA_DIR as string, name)
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  const { id } = await nc.json<SourceAnswer>(`source create --env ${env} --name Payments --provider stripe`)
  const of = `--env ${env} --source ${id}`
  const payload = write('payload.json', { id: 'evt_1', type: 'payout.paid', data: { object: { owner: 'u_1' } } })
  const tried = (flags = '') => nc.json<{ items: unknown[] }>(`source try ${of} --payload ${payload}${flags}`)
  expect((await tried()).items).toMatchObject([{ name: 'stripe.payout.paid', userId: null }])

  const mapping = { providerEvent: 'payout.paid', event: 'Paid', userIdPath: 'data.object.owner' }
  const file = write('source.json', { name: 'Payouts', mappings: [mapping] })
  expect((await tried(` --from ${file}`)).items).toMatchObject([{ name: 'Paid', userId: 'u_1' }])
  expect((await tried()).items).toMatchObject([{ name: 'stripe.payout.paid', userId: null }])
  expect(await nc.json(`source change ${of} --from ${file}`)).toMatchObject({ name: 'Payouts', mappings: [mapping] })
  expect((await tried()).items).toMatchObject([{ name: 'Paid', userId: 'u_1' }])
})

test('a source of a recipe takes what its sender signs, and a trial shows both signatures', async () => {
  const nc = givenNc(given.settings)
  const env = given.demo.environments.dev.id
  const write = (name: string, text: string) => {
    const file = join(given.settings.DATA_DIR as string, name)
    writeFileSync(file, text)
    return file
  }
  const secret = write('github.txt', 'of-github')
  const created = await nc.json<SourceAnswer>(
    `source create --env ${env} --name Repo --recipe github --secret-file ${secret}`,
  )
  expect(created).toMatchObject({ provider: 'hmac', settings: { header: 'X-Hub-Signature-256' } })
  const of = `--env ${env} --source ${created.id}`
  const sign = (body: string) => createHmac('sha256', 'of-github').update(body).digest('hex')
  const requestOf = (body: string) => `X-Hub-Signature-256: sha256=${sign('{"a":1}')}\n\n${body}`
  const attempt = (body: string) =>
    nc.nc(`source try-signature ${of} --json --request ${write('request.txt', requestOf(body))}`)
  const right = await attempt('{"a":1}')
  expect([right.code, JSON.parse(right.out)]).toMatchObject([0, { ok: true, expected: sign('{"a":1}') }])
  const wrong = await attempt('{"a":2}')
  expect([wrong.code, JSON.parse(wrong.out)]).toMatchObject([1, { ok: false, signedString: '{"a":2}' }])
  expect(right.out + wrong.out).not.toContain('of-github')
  const own = write('settings.json', JSON.stringify({ settings: { ...created.settings, header: 'X-Own' } }))
  const other = `source create --env ${env} --name Own --provider hmac --settings ${own} --secret-file ${secret}`
  expect(await nc.json<SourceAnswer>(other)).toMatchObject({ settings: { header: 'X-Own', prefix: 'sha256=' } })
  expect((await nc.nc(`source create --env ${env} --name None`)).code).toBe(2)
  expect((await nc.nc(`source create --env ${env} --name None --recipe gitlab`)).code).toBe(2)
})

test('a source is created, paused, rotated and removed', async () => {
  const nc = givenNc(given.settings)
  const env = given.demo.environments.dev.id
  const file = join(given.settings.DATA_DIR as string, 'secret.txt')
  writeFileSync(file, 'dictated\n')
  const source = await nc.json<CreatedSourceAnswer>(
    `source create --env ${env} --name Shop --provider segment --secret-file ${file}`,
  )
  expect(source).toMatchObject({ name: 'Shop', status: 'active', verificationSecret: 'dictated' })
  const listed = await nc.json<SourceAnswer[]>(`source list --env ${env}`)
  expect(listed[0]).toMatchObject({ id: source.id, provider: 'segment' })

  const of = `--env ${env} --source ${source.id}`
  const { deliver } = givenSources(given)
  const answerOf = async (messageId: string, secret = 'dictated') => {
    const { status, body } = await deliver(source, trackCall(messageId), { secret })
    return [status, body.status]
  }
  expect(await answerOf('1')).toEqual([200, 'accepted'])
  expect(await nc.json(`source pause ${of}`)).toMatchObject({ status: 'paused' })
  await expect.poll(() => answerOf('2')).toEqual([200, 'paused'])
  expect(await nc.json(`source resume ${of}`)).toMatchObject({ status: 'active' })
  await expect.poll(() => answerOf('3')).toEqual([200, 'accepted'])

  const { verificationSecret: value } = await nc.json<{ verificationSecret: string }>(
    `source rotate ${of} --overlap PT1H`,
  )
  await expect.poll(() => answerOf('4', value)).toEqual([200, 'accepted'])
  expect(await answerOf('5')).toEqual([200, 'accepted'])
  const last = await nc.json<{ verificationSecret: string }>(`source rotate ${of} --emergency --yes`)
  await expect.poll(() => answerOf('6')).toEqual([401, undefined])
  expect(await answerOf('7', value)).toEqual([401, undefined])
  await expect.poll(() => answerOf('8', last.verificationSecret)).toEqual([200, 'accepted'])

  await expect
    .poll(() => nc.json(`source deliveries ${of}`))
    .toEqual(expect.arrayContaining([expect.objectContaining({ deliveryId: '8', outcome: 'accepted' })]))
  expect(await nc.json<SourceAnswer>(`source show ${of}`)).toMatchObject({ secret: { state: 'single' } })
  await nc.json(`source delete ${of}`)
  await expect.poll(() => answerOf('9', last.verificationSecret)).toEqual([404, undefined])
})

test('a file of another form, and an id that leaves an address, are refused', async () => {
  const { nc, json } = givenNc(given.settings)
  const env = given.demo.environments.dev.id
  const write = (name: string, content: unknown) => {
    const file = join(given.settings.DATA_DIR as string, name)
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  const hmac = {
    header: 'X-Sig',
    algorithm: 'sha256',
    encoding: 'hex',
    signedString: 'body',
    idPath: 'id',
    typePath: 'a',
  }
  const create = (name: string, file: string) =>
    nc(`source create --env ${env} --name ${name} --provider hmac --settings ${file}`)
  const bare = await create('Bare', write('bare.json', hmac))
  expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('bare.json has the field header.')])
  expect((await create('List', write('list.json', []))).err).toContain('list.json is no JSON object')
  expect((await create('Whole', write('whole.json', { settings: hmac }))).code).toBe(0)
  const { id } = await json<SourceAnswer>(`source create --env ${env} --name Other --provider stripe`)
  const payload = write('any.json', {})
  const tried = await nc(
    `source try --env ${env} --source ${id} --payload ${payload} --from ${write('null.json', null)}`,
  )
  expect(tried.err).toContain('null.json is no JSON object')
  for (const wrong of ['..', '.']) {
    const { code, err } = await nc(`source deliveries --env ${env} --source ${wrong}`)
    expect([code, err]).toEqual([1, expect.stringContaining('has dots alone')])
  }
})
