// Tests doubts of mails: of their layout, links and size; on HTTP, in `nc doubts` and in the doctor.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { DoubtAnswer } from '../../../contract/resources/doubt.ts'
import { givenDashboard } from '../support/given-dashboard.ts'
import { type GivenMails, givenMails } from '../support/given-mails.ts'
import { givenNc } from '../support/given-nc.ts'

let mails: GivenMails
let cli: ReturnType<typeof givenNc>
beforeAll(async () => {
  mails = await givenMails()
  cli = givenNc(mails.edge.settings)
})
afterAll(() => mails.edge.stop())

/** @returns The id of a notification config with this layout */
async function saveLayout(name: string, layout: string): Promise<string> {
  const { demo } = mails.edge
  const owner = await givenDashboard(mails.edge).signIn(demo.dashboard.email, demo.dashboard.password)
  const path = `/v1/dashboard/organisations/${demo.organisation.id}/notification-configs`
  const saved = await owner.call<{ id: string }>('POST', path, { body: { name, email: { layout } } })
  expect(saved.status).toBe(201)
  return saved.body.id
}

const listAbout = async (type: string, id: string) => {
  const path = `/v1/doubts?limit=100&subjectType=${type}&subjectId=${id}`
  return (await mails.edge.call<Page<DoubtAnswer>>('GET', path, { key: mails.key })).body.data
}

/** Sends mails of an event to two users. */
async function sendTwo(name: string, properties: object = {}): Promise<void> {
  for (const userId of ['ada', 'bob']) {
    const user = { email: `${userId}@example.org` }
    expect((await mails.edge.track({ name, userId, user, properties })).status).toBe(202)
  }
}

test.each([
  ['evnt.total', '{{ evnt.total }}'],
  ['brand.nam', '{{ brand.nam }}'],
  ['a filtered one', '{{ shop.name | upcase }}'],
])('a layout that prints %s: the doubt is about its notification config', async (name, printed) => {
  const layoutId = await saveLayout(`Prints ${name}`, `<p>Shop ${printed}</p>{{ content }}`)
  const event = `layout.${layoutId}`
  await mails.publishMail(event, { markdown: 'Hello' }, { notificationConfigId: layoutId })
  await sendTwo(event)
  await expect.poll(() => listAbout('layout', layoutId)).toMatchObject([{ kind: 'unknown-variable', count: 2 }])
  const [doubt] = await listAbout('layout', layoutId)
  expect(doubt?.message).toContain(printed.slice(3, -3).split(' ')[0])
})

test.each([
  ['html', { html: '<p><a href="{{ event.properties.url }}">Pay</a></p>' }],
  ['the picture of html', { html: '<p><img src="{{ event.properties.url }}" alt=""></p>' }],
  ['html with a filter', { html: '<p><a href="{{ event.properties.url | strip }}">Pay</a></p>' }],
  ['markdown', { markdown: '[Pay]({{ event.properties.url }})' }],
])('a link that is dropped in %s', async (name, email) => {
  const event = `dropped.${name.replaceAll(' ', '-')}`
  const id = await mails.publishMail(event, email)
  await sendTwo(event, { url: 'javascript:alert(1)' })
  await expect
    .poll(() => listAbout('campaign', id))
    .toMatchObject([{ kind: 'link-dropped', message: 'Step mail: a link was dropped.', count: 2 }])
})

test('a mail that is too large, with its size as the example; one below has no doubt', async () => {
  const [large, small] = [91, 89].map((kib) => `<html><body>${'x'.repeat(kib * 1024)}</body></html>`)
  const ids = [
    await mails.publishMail('doubt.large', { html: large }),
    await mails.publishMail('doubt.small', { html: small }),
  ]
  await sendTwo('doubt.small')
  await sendTwo('doubt.large')
  const found = { kind: 'mail-too-large', count: 2, example: expect.stringMatching(/^9\d KB$/) }
  await expect.poll(() => listAbout('campaign', ids[0] ?? '')).toMatchObject([found])
  expect(await listAbout('campaign', ids[1] ?? '')).toEqual([])
})

test('nc doubts lists them, and the doctor counts them as a note', async () => {
  const { body } = await mails.edge.call<Page<DoubtAnswer>>('GET', '/v1/doubts?limit=100', { key: mails.key })
  const of = `--env ${mails.edge.demo.environments.dev.id}`
  const listed = await cli.json<DoubtAnswer[]>(`doubts ${of}`)
  expect(listed.map(({ id }) => id).sort()).toEqual(body.data.map(({ id }) => id).sort())
  const kinds = new Set(listed.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['link-dropped', 'mail-too-large', 'unknown-variable'])
  const { out } = await cli.nc(`doubts ${of} --kind mail-too-large`)
  expect(out).toMatch(/mail-too-large +campaign/)
  expect(out).not.toContain('link-dropped')
  const report = JSON.parse((await cli.nc('doctor --json')).out) as { findings: { check: string }[] }
  expect(report.findings).toContainEqual({
    check: 'Doubts',
    verdict: 'note',
    words: expect.stringContaining(`${listed.length} things were accepted and cannot have been meant.`),
  })
})
