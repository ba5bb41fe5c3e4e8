// Tests mails as large as a layout may be: they are stored, previewed with their size, and sent.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PreviewAnswer } from '../../../contract/resources/campaign-trial.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { type GivenMails, givenMails } from '../support/given-mails.ts'

let mails: GivenMails
let owner: DashboardPerson
beforeAll(async () => {
  mails = await givenMails()
  const { email, password } = mails.edge.demo.dashboard
  owner = await givenDashboard(mails.edge).signIn(email, password)
})
afterAll(() => mails.edge.stop())

const MAX_CHARS = 524_288
/** A page of exactly so many characters, with a value at its end. */
function pageOf(chars: number): string {
  const end = '<p>Dear {{ user.name }}</p></body></html>'
  const begin = '<html><body>'
  return (
    begin +
    '<p class="a">ü "quoted"</p>\n'
      .padEnd(300, 'word ')
      .repeat(chars / 300 + 1)
      .slice(0, chars - begin.length - end.length - 3) +
    '-->'.replace(/./g, ' ') +
    end
  )
}

test('HTML of 524,288 characters is previewed with its size, tried and sent', async () => {
  const html = pageOf(MAX_CHARS)
  expect(html).toHaveLength(MAX_CHARS)
  const id = await mails.publishMail('large.mail', { html })
  const path = `/v1/campaigns/${id}`
  const preview = await mails.edge.call<PreviewAnswer>('POST', `${path}/preview`, {
    key: mails.key,
    body: { stepId: 'mail' },
  })
  const { html: composed = '', htmlBytes, warnings } = preview.body
  expect(htmlBytes).toBe(Buffer.byteLength(composed))
  expect(htmlBytes).toBeGreaterThan(MAX_CHARS)
  const large = { path: 'html', line: null, message: expect.stringContaining('102 KB') }
  expect(warnings).toContainEqual(large)
  const { userId } = await mails.sendMail('large.mail')
  const tried = await mails.edge.call<{ mails: object[] }>('POST', `${path}/test`, {
    key: mails.key,
    body: { userId },
  })
  expect(tried.body.mails).toMatchObject([{ htmlBytes: expect.any(Number), warnings: expect.arrayContaining([large]) }])
  const sent = await mails.sendMail('large.mail')
  expect(sent.html).toContain(`Dear ${sent.userId}`)
  expect(sent.html.length).toBeGreaterThan(MAX_CHARS)
})

test('HTML of one character more is refused with its path', async () => {
  const steps = [{ id: 'mail', type: 'email', subject: 's', html: pageOf(MAX_CHARS + 1) }]
  const body = { key: 'too.large', name: 'x', trigger: { event: 'too.large' }, steps }
  const answer = await mails.edge.call<{ details: object[] }>('POST', '/v1/campaigns', { key: mails.key, body })
  expect(answer.status).toBe(400)
  expect(answer.body.details).toMatchObject([{ path: 'steps[0].html', message: expect.stringContaining('524288') }])
})

test.each([
  [89 * 1024, 0],
  [91 * 1024, 1],
])('a mail of %d bytes has %d warnings', async (bytes, count) => {
  const id = await mails.publishMail(`bytes.b${bytes}`, { html: `<html><body>${'x'.repeat(bytes)}</body></html>` })
  const body = { stepId: 'mail' }
  const preview = await mails.edge.call<PreviewAnswer>('POST', `/v1/campaigns/${id}/preview`, { key: mails.key, body })
  expect(preview.body.warnings).toHaveLength(count)
})

test('a layout of half a million characters is saved', async () => {
  const path = `/v1/dashboard/organisations/${mails.edge.demo.organisation.id}/notification-configs`
  const layout = `{{ content }}${'<p>x</p>'
    .padEnd(300, 'word ')
    .repeat(MAX_CHARS / 300)
    .slice(0, 500_000)}`
  const saved = await owner.call<{ warnings: object[] }>('POST', path, { body: { name: 'Large', email: { layout } } })
  expect({ status: saved.status, warnings: saved.body.warnings }).toMatchObject({
    status: 201,
    warnings: [{ path: 'email.html', message: expect.stringContaining('102 KB') }],
  })
})
