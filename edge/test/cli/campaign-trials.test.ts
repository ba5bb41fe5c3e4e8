// Tests `nc campaign preview` and `dry-run`: they run a draft with the code that sends, and write nothing.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let command: (verb: string, rest?: string) => string
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  const { id: env, sdkSecretKey: key } = given.demo.environments.dev
  command = (verb, rest = '') => `campaign ${verb} --env ${env} --key shipped ${rest}`.trim()
  const inbox = { type: 'inbox', title: 'Hello {{ user.name }}', locales: { fr: { title: 'Bonjour {{ user.name }}' } } }
  const definition = {
    key: 'shipped',
    trigger: { event: 'order.shipped', where: 'event.properties.total > 100' },
    steps: [
      { id: 'pause', type: 'delay', for: 'PT1H' },
      { id: 'tell', ...inbox },
      { id: 'mail', type: 'email', subject: 'Shipped', markdown: 'It is on its way.' },
    ],
  }
  expect((await given.call('POST', '/v1/campaigns', { key, body: definition })).status).toBe(201)
  const profile = { name: 'Ada', locale: 'fr' }
  expect((await given.call('PUT', '/v1/users/ada', { key, body: profile })).status).toBe(200)
})
afterAll(() => given.stop())

async function sample(content: unknown): Promise<string> {
  const path = join(given.dataDir, 'sample.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return `--with ${path}`
}

test('a preview shows a step as the user would receive it, and the file overrides the profile', async () => {
  const title = async (rest: string) =>
    (await cli.json<{ title: string }>(command('preview', `--step tell ${rest}`))).title
  expect(await title('--user ada')).toBe('Bonjour Ada')
  expect(await title(`--user ada ${await sample({ user: { locale: 'en' } })}`)).toBe('Hello Ada')
  expect(await title('')).toBe('Hello')
})

test('a dry run lists the steps after every wait and the messages that would be skipped, and writes nothing', async () => {
  const rest = `--user ada ${await sample({ event: { properties: { total: 120 } } })}`
  const run = await cli.json<{ matched: boolean; steps: { stepId: string; outcome: string }[] }>(
    command('dry-run', rest),
  )
  expect(run.matched).toBe(true)
  expect(run.steps.map(({ stepId, outcome }) => [stepId, outcome])).toEqual([
    ['pause', 'done'],
    ['tell', 'done'],
    ['mail', 'skipped'],
  ])
  expect((await cli.nc(command('dry-run', rest))).out).toContain('the user has no e-mail address')
  expect((await cli.nc(command('dry-run', await sample({})))).out).toBe(
    'No run begins: No such key: total.\nThe trigger: a condition ended in an error: event.properties.total > 100.\n',
  )
  expect((await given.page(await given.signIn('ada'))).data).toEqual([])
})

test.each<[string, unknown, number]>([
  ['no JSON', '{', 1],
  ['a list', [], 2],
  ['properties that are a text', { event: { properties: 'x' } }, 1],
  ['a time that is none', { event: { occurredAt: 'soon' } }, 1],
  ['a user id that is a number', { user: { id: 7 } }, 1],
])('a file that contains %s is refused with its name', async (_, content, code) => {
  const answer = await cli.nc(command('dry-run', await sample(content)))
  expect(answer.code).toBe(code)
  expect(answer.err).toContain('sample.json')
})

test('an unknown step, user or campaign is reported', async () => {
  const { id: env } = given.demo.environments.dev
  expect(await cli.nc(command('preview', '--step nope'))).toMatchObject({ code: 1 })
  expect((await cli.nc(command('preview', '--step tell --user nobody'))).err).toContain('There is no user nobody')
  expect((await cli.nc(`campaign dry-run --env ${env} --key nope`)).err).toContain('There is no campaign "nope"')
})
