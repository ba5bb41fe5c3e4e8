// Tests account mails over a real SMTP server: invitations, resets and changes of the sign-in, and what a server that is away does.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { cookieOf, type DashboardPerson, givenDashboard, outcomeOf, PASSWORD } from '../support/given-dashboard.ts'
import { joinProtected } from '../support/given-second-factor.ts'
import { type GivenSmtp, givenSmtp, type ReceivedMail } from '../support/given-smtp.ts'

const AUTH = '/v1/dashboard/auth'
const SOON_MS = { attempts: [1], accounts: [1, 1, 1] }
const LINK = /http:\/\/127\.0\.0\.1:\d+\/dashboard\/[\w-]+#(nc_(?:invite|reset)_[\w-]{43})/

interface InvitationAnswer {
  id: string
  email: string
  mail: { state: string; at: string; error: string | null } | null
}

const lines: string[] = []
let smtp: GivenSmtp
let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let org: string
let owner: DashboardPerson

const settingsOf = (port: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`,
  EMAIL_FROM: 'Engines & Co <hello@engines.example>',
  OUTBOUND_ALLOW: '127.0.0.0/8',
})

beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenEdge(settingsOf(smtp.port), { mailPausesMs: SOON_MS, writeLog: (line) => lines.push(line) })
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
  owner = await dashboard.signIn(given.demo.dashboard.email, given.demo.dashboard.password)
})
afterEach(() => {
  smtp.behave = () => 'take'
  expect(lines.join('')).not.toMatch(/nc_(invite|reset)_[\w-]/)
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
})

const invitations = (of = org) => `${AUTH}/organisations/${of}/invitations`
const invite = (email: string, role = 'editor', by = owner) =>
  by.call<InvitationAnswer & { linkInLog: boolean }>('POST', invitations(), { body: { email, role } })

/** @returns the mail of the invitation, as soon as it is in this state. */
async function mailOf(email: string, state: string, by = owner) {
  async function read() {
    const { body } = await by.call<{ data: InvitationAnswer[] }>('GET', invitations())
    return body.data.find((invitation) => invitation.email === email)?.mail
  }
  await expect.poll(async () => (await read())?.state).toBe(state)
  return read()
}

/** @returns the mails to an address, as soon as there are so many. */
async function mailsTo(address: string, count: number): Promise<ReceivedMail[]> {
  const read = () => smtp.mails.filter(({ to }) => to.length === 1 && to[0] === address)
  await expect.poll(() => read().length).toBe(count)
  return read()
}

const tokenIn = (mail: ReceivedMail | undefined) => LINK.exec(mail?.parsed.text ?? '')?.[1] ?? ''
const headersOf = ({ parsed }: ReceivedMail) => parsed.headers.map(({ key }) => key)

describe('an invitation', () => {
  test('is mailed with both parts, without tracking, and accepted by the link of the mail', async () => {
    const created = await invite('New@Example.com')
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ linkInLog: false, mail: { state: 'sending', error: null } })
    expect(JSON.stringify(created.body)).not.toContain('nc_invite_')
    const [mail] = (await mailsTo('new@example.com', 1)) as [ReceivedMail]
    expect(mail.parsed).toMatchObject({
      from: { name: 'Engines & Co', address: 'hello@engines.example' },
      to: [{ name: '', address: 'new@example.com' }],
      subject: 'Invitation to Demo',
    })
    expect(mail.from).toBe('hello@engines.example')
    expect(mail.parsed.text).toContain(`${owner.email} invites you to join Demo as editor.`)
    const { html = '' } = mail.parsed
    expect(html).toContain('Engines &amp; Co')
    expect(html).toContain('lang="en"')
    expect(html).toMatch(new RegExp(`<a href="${LINK.source}"[^>]*>Accept the invitation</a>`))
    expect(html).not.toMatch(/<img|\/v1\/t\/|Unsubscribe/)
    expect(headersOf(mail)).not.toContain('list-unsubscribe')
    expect(mail.parsed.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(await mailOf('new@example.com', 'sent')).toMatchObject({ error: null })
    const accept = { token: tokenIn(mail), name: 'New', password: PASSWORD }
    expect((await dashboard.post('invitations/accept', accept)).body).toMatchObject({
      person: { email: 'new@example.com' },
      organisations: [{ id: org, role: 'editor' }],
    })
  })

  test('by the command line prints the link, mails it, and reports what the mail server said', async () => {
    const command = `member invite --org ${org} --role viewer --email`
    const done = await dashboard.cli.json<{ link: string; mail: { state: string } }>(`${command} cli@example.com`)
    expect(done.mail).toMatchObject({ state: 'sent', error: null })
    const [mail] = await mailsTo('cli@example.com', 1)
    expect(done.link).toContain(tokenIn(mail))
    // An account of the operating system is no inviter.
    expect(mail?.parsed.text).toContain('You are invited to join Demo as viewer.')
    smtp.behave = () => ({ code: 550, message: 'No such mailbox here' })
    const { code, out } = await dashboard.cli.nc(`${command} refused-cli@example.com`)
    expect(code).toBe(0)
    expect(out).toMatch(/#nc_invite_[\w-]{43}\nThe mail is not sent: .*No such mailbox here/)
  })

  test('and a reset are in the language of the organisation', async () => {
    const { id } = await dashboard.cli.json<{ id: string }>('org create --name Motoren')
    await dashboard.cli.json(`settings create --org ${id} --locale de-AT`)
    const { email } = await dashboard.join(id, 'gast@example.com', 'viewer')
    const [mail] = await mailsTo(email, 1)
    expect(mail?.parsed.subject).toBe('Einladung zu Motoren')
    expect(mail?.parsed.html).toContain('lang="de"')
    await dashboard.post('password-reset', { email })
    expect((await mailsTo(email, 2))[1]?.parsed.subject).toBe('Neues Passwort festlegen')
  })

  test('is refused for good with the words of the server, without the link that it quotes', async () => {
    smtp.behave = (_count, _to, mail) => ({ code: 550, message: `Bad link: ${tokenIn(mail)} is listed` })
    await invite('refused@example.com')
    const mail = await mailOf('refused@example.com', 'failed')
    expect(mail?.error).toContain('Bad link: nc_invite_… is listed')
    expect(await mailsTo('refused@example.com', 0)).toEqual([])
  })

  test('is tried four times while the server refuses for now, and is then sent again by another one', async () => {
    let asked = 0
    smtp.behave = (_count, to) => {
      if (to === 'busy@example.com') asked++
      return { code: 451, message: 'Later, please' }
    }
    await invite('busy@example.com')
    expect((await mailOf('busy@example.com', 'failed'))?.error).toContain('Later, please')
    expect(asked).toBe(4)
    smtp.behave = () => 'take'
    await invite('busy@example.com')
    expect(await mailOf('busy@example.com', 'sent')).toMatchObject({ error: null })
    const [mail] = await mailsTo('busy@example.com', 1)
    expect((await dashboard.post('invitations/accept', { token: tokenIn(mail), password: PASSWORD })).status).toBe(200)
  })

  test('whose outcome is not known is not sent twice', async () => {
    smtp.behave = (_count, to) => (to === 'cut@example.com' ? 'cut' : 'take')
    await invite('cut@example.com')
    expect((await mailOf('cut@example.com', 'unknown'))?.error).toContain('ended before its answer')
    await mailsTo('cut@example.com', 1)
  })

  test('to what is no address counts as none', async () => {
    const other = (await dashboard.cli.json<{ id: string }>('org create --name Many')).id
    const admin = await dashboard.join(other, 'many@example.com', 'admin')
    const body = { email: 'not an address', role: 'viewer' }
    const outcomes = new Set<string>()
    for (let count = 0; count <= 60; count++)
      outcomes.add(outcomeOf(await admin.call('POST', invitations(other), { body })))
    expect([...outcomes]).toEqual(['400 request/invalid-body'])
    const right = { body: { ...body, email: 'one-more@example.com' } }
    expect((await admin.call('POST', invitations(other), right)).status).toBe(201)
  })
})

describe('names and addresses of hostile people', () => {
  test('stay text in a mail: no header, no markup, no link, no turned text', async () => {
    const name = '<img src=x> [you](https://evil.example) **"\u2028Bcc: all@example.com\u202E, www.evil.example'
    const created = await owner.call<{ id: string }>('POST', `${AUTH}/organisations`, { body: { name } })
    expect(created.status).toBe(201)
    const body = { email: 'victim@example.com', role: 'viewer' }
    expect((await owner.call('POST', invitations(created.body.id), { body })).status).toBe(201)
    const [mail] = (await mailsTo('victim@example.com', 1)) as [ReceivedMail]
    const shown = '<img src=x> [you](https://evil.example) **" Bcc: all@example.com, www.evil.example'
    expect(mail.parsed.subject).toBe(`Invitation to ${shown}`)
    expect(mail.to).toEqual(['victim@example.com'])
    expect(headersOf(mail)).not.toContain('bcc')
    expect(mail.parsed.text).toContain(`join ${shown} as viewer`)
    const links = [...(mail.parsed.html ?? '').matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual([expect.stringMatching(LINK)])
    expect(mail.parsed.html).not.toMatch(/<img|<strong>"/)
    expect(mail.parsed.html).toContain('&lt;img src=x&gt; [you](https://evil.example) **')
  })

  test.each([
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\nRCPT TO:<b@example.com>',
    'a@example.com,b@example.com',
    'a@example.com>\u0001<b@example.com',
    '"a b"@example.com',
    'Ada <a@example.com>',
  ])('%j is no address to invite', async (email) => {
    expect(outcomeOf(await invite(email))).toBe('400 request/invalid-body')
    const reset = await dashboard.post('password-reset', { email })
    expect([reset.status, reset.body]).toEqual([202, { accepted: true, sendsMail: true }])
  })
})

describe('a reset', () => {
  test('is mailed to the account alone, works once, and is followed by a mail about the change', async () => {
    const { email } = await dashboard.join(org, 'forgot@example.com', 'viewer')
    const known = await dashboard.post('password-reset', { email: 'Forgot@Example.com ' })
    const unknown = await dashboard.post('password-reset', { email: 'nobody@example.com' })
    const seen = ({ status, body, headers }: typeof known) => {
      const names = [...headers.keys()].filter((name) => !name.startsWith('ratelimit'))
      return { status, body, names }
    }
    expect(seen(known)).toEqual(seen(unknown))
    expect(known.body).toEqual({ accepted: true, sendsMail: true })
    // The first mail of the person is the invitation.
    const mail = (await mailsTo(email, 2))[1] as ReceivedMail
    expect(mail.parsed.subject).toBe('Set a new password')
    expect(mail.parsed.text).toContain(`for your account ${email}`)
    expect(headersOf(mail)).not.toContain('list-unsubscribe')
    const confirm = () =>
      dashboard.post('password-reset/confirm', { token: tokenIn(mail), password: 'another long password' })
    expect((await confirm()).status).toBe(200)
    expect(outcomeOf(await confirm())).toBe('404 request/not-found')
    await dashboard.signIn(email, 'another long password')
    expect((await mailsTo(email, 3))[2]?.parsed).toMatchObject({
      subject: 'Your password was changed',
      text: expect.stringContaining(`${given.url}/dashboard/forgot-password`),
    })
  })

  test('is mailed once in two minutes, and to nobody without an account', async () => {
    const alone = await givenEdge(settingsOf(smtp.port), { mailPausesMs: SOON_MS })
    const own = givenDashboard(alone)
    const { email } = await own.join(alone.demo.organisation.id, 'flooded@example.com', 'viewer')
    for (const address of [email, 'stranger@example.com', email, email]) {
      expect((await own.post('password-reset', { email: address })).status).toBe(202)
    }
    // What has begun is sent before the server stops.
    await alone.stop()
    const subjects = (await mailsTo(email, 2)).map(({ parsed }) => parsed.subject)
    expect(subjects).toEqual(['Invitation to Demo', 'Set a new password'])
    expect(await mailsTo('stranger@example.com', 0)).toEqual([])
  })

  test('and an invitation are answered while the mail server keeps every mail waiting', async () => {
    const { email } = await dashboard.join(org, 'waiting@example.com', 'viewer')
    await mailsTo(email, 1)
    let release = () => {}
    const held = new Promise<'take'>((resolve) => {
      release = () => resolve('take')
    })
    let arrived = 0
    smtp.behave = () => {
      arrived++
      return held
    }
    expect((await dashboard.post('password-reset', { email })).status).toBe(202)
    expect((await dashboard.post('password-reset', { email: 'unknown@example.com' })).status).toBe(202)
    expect((await invite('waiting-too@example.com')).status).toBe(201)
    await expect.poll(() => arrived).toBe(2)
    expect(await mailOf('waiting-too@example.com', 'sending')).toMatchObject({ error: null })
    release()
    await mailOf('waiting-too@example.com', 'sent')
    await mailsTo(email, 2)
  })
})

describe('a change of the sign-in', () => {
  const subjects = async (email: string, count: number) =>
    (await mailsTo(email, count)).map(({ parsed }) => parsed.subject).slice(1)

  test('is mailed: password, one-time codes on and off', async () => {
    const { person, nextCode } = await joinProtected(dashboard, org, 'changes@example.com')
    expect(await subjects(person.email, 2)).toEqual(['One-time codes were switched on'])
    const off = await person.call('POST', `${AUTH}/totp/off`, { body: { password: PASSWORD, code: nextCode() } })
    expect(off.status).toBe(200)
    expect((await subjects(person.email, 3))[1]).toBe('One-time codes were switched off')
    const body = { currentPassword: PASSWORD, password: 'another long password' }
    expect((await person.call('PUT', `${AUTH}/password`, { body })).status).toBe(200)
    expect((await subjects(person.email, 4))[2]).toBe('Your password was changed')
    const refused = { currentPassword: PASSWORD, password: 'a third long password' }
    expect(outcomeOf(await person.call('PUT', `${AUTH}/password`, { body: refused }))).toMatch(/^401/)
    await subjects(person.email, 4)
  })

  test('is mailed after the operator switched codes off', async () => {
    const { person } = await joinProtected(dashboard, org, 'lost@example.com')
    await subjects(person.email, 2)
    await dashboard.cli.json(`member totp-off --email ${person.email} --yes`)
    expect((await subjects(person.email, 3))[1]).toBe('One-time codes were switched off')
  })
})

describe('a mail server that is away', () => {
  test('gets the invitation when it is back; a stop of this server before that is recorded', async () => {
    const port = await findFreePort()
    // The third pause ends with the server.
    const pauses = { ...SOON_MS, accounts: [1, 1, 600_000] }
    const alone = await givenEdge(settingsOf(port), { mailPausesMs: pauses })
    let late: GivenSmtp | undefined
    try {
      const own = givenDashboard(alone)
      const { email, password } = alone.demo.dashboard
      const path = invitations(alone.demo.organisation.id)
      const read = async (by: DashboardPerson) =>
        (await by.call<{ data: InvitationAnswer[] }>('GET', path)).body.data[0]?.mail
      const person = await own.signIn(email, password)
      const body = { email: 'patient@example.com', role: 'viewer' }
      expect((await person.call('POST', path, { body })).status).toBe(201)
      expect(await read(person)).toMatchObject({ state: 'sending' })
      await alone.restart()
      expect(await read(person)).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('could not be reached'),
      })
      late = await givenSmtp({ port })
      expect((await person.call('POST', path, { body })).status).toBe(201)
      const [mail] = await late.received(1)
      await expect.poll(async () => (await read(person))?.state).toBe('sent')
      const accepted = await own.post('invitations/accept', { token: tokenIn(mail), password: PASSWORD })
      expect(cookieOf(accepted)).toMatch(/^nc_session=/)
    } finally {
      await alone.stop()
      await late?.stop()
    }
  })

  test('is asked again: what was refused twice arrives once', async () => {
    let asked = 0
    smtp.behave = () => (++asked < 3 ? { code: 421, message: 'Closing' } : 'take')
    await invite('twice@example.com')
    await mailOf('twice@example.com', 'sent')
    await mailsTo('twice@example.com', 1)
  })
})

test('admins get one mail before an old value of a secret ends by itself, and not again after a restart', async () => {
  const environmentId = given.demo.environments.prod.id
  const admin = await dashboard.join(org, 'key-admin@example.com', 'admin')
  await dashboard.join(org, 'key-editor@example.com', 'editor')
  const path = `/v1/dashboard/environments/${environmentId}/secrets/sdkSecretKey/rotate`
  expect((await admin.call('POST', path, { body: { overlap: 'PT1H' } })).status).toBe(200)
  const warnings = () => smtp.mails.filter(({ parsed }) => parsed.subject === 'An old key of prod ends soon')
  // The task runs when the server starts, and then each minute.
  await given.restart()
  await expect.poll(() => warnings().length).toBe(2)
  expect(
    warnings()
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual(['key-admin@example.com', given.demo.dashboard.email].sort())
  const text = warnings()[0]?.parsed.text
  expect(text).toMatch(/The old sdkSecretKey of prod ends at \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  expect(text).toContain(`/app/environments/${environmentId}/secrets`)
  await given.restart()
  // Sent after the task of the start had its turn.
  await invite('after-the-mails@example.com')
  await mailsTo('after-the-mails@example.com', 1)
  expect(warnings()).toHaveLength(2)
})

test('a request to publish is mailed once to each person who can approve it, and not to whoever asks', async () => {
  const asker = await dashboard.join(org, 'asker@example.com', 'editor')
  await dashboard.join(org, 'onlooker@example.com', 'editor')
  const approver = await dashboard.join(org, 'approver@example.com', 'admin')
  const environmentId = given.demo.environments.prod.id
  const path = `/v1/dashboard/environments/${environmentId}`
  await owner.call('PUT', path, { body: { requirePublishApproval: true, publishRole: 'admin' } })
  const definition = inboxCampaign('mailed', 'mailed', { name: 'Tell <b>all</b>' })
  const { body } = await asker.call<{ id: string }>('POST', `${path}/campaigns`, { body: definition })
  const asked = await asker.call('POST', `${path}/campaigns/${body.id}/publish`, { body: { note: 'For Monday' } })
  expect(asked.status).toBe(200)
  const subject = 'asker@example.com asks to publish “Tell <b>all</b>” in prod'
  const mails = () => smtp.mails.filter(({ parsed }) => parsed.subject === subject)
  await expect
    .poll(() => mails().flatMap(({ to }) => to))
    .toEqual(expect.arrayContaining([owner.email, approver.email]))
  const receivers = mails().flatMap(({ to }) => to)
  expect(receivers).not.toContain('asker@example.com')
  expect(receivers).not.toContain('onlooker@example.com')
  expect(new Set(receivers).size).toBe(receivers.length)
  const { text, html } = mails()[0]?.parsed ?? {}
  expect(text).toContain('The note says: For Monday')
  expect(text).toContain(`/app/campaigns/${body.id}?env=${environmentId}`)
  expect(html).toContain('Tell &lt;b&gt;all&lt;/b&gt;')

  // Asked for again, nobody is mailed again: the next mail is that of another campaign.
  for (let count = 0; count < 3; count++) {
    const { pendingPublish } = (await asker.call<CampaignAnswer>('GET', `${path}/campaigns/${body.id}`)).body
    const revision = pendingPublish?.revision
    await asker.call('POST', `${path}/campaigns/${body.id}/publish/withdraw`, { body: { revision } })
    expect((await asker.call('POST', `${path}/campaigns/${body.id}/publish`)).status).toBe(200)
  }
  const other = await asker.call<{ id: string }>('POST', `${path}/campaigns`, { body: inboxCampaign('other', 'other') })
  await asker.call('POST', `${path}/campaigns/${other.body.id}/publish`)
  const later = () => smtp.mails.filter(({ parsed }) => parsed.subject?.includes('publish “other”'))
  await expect
    .poll(() => later().flatMap(({ to }) => to))
    .toEqual(expect.arrayContaining([owner.email, approver.email]))
  const all = mails().flatMap(({ to }) => to)
  expect(new Set(all).size).toBe(all.length)
})
