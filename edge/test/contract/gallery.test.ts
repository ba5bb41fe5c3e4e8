// Tests the campaigns of the gallery: each is accepted, and tried in both languages without a doubt.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GALLERY } from '../../../contract/gallery/gallery.ts'
import { SAMPLE_USER } from '../../../contract/gallery/gallery-campaign.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

const DRAFTS = GALLERY.map((campaign) => [campaign.definition.key, campaign] as const)

const call = <T>(method: string, path: string, body?: object) => given.call<T>(method, path, { key, body })

/** @returns The steps that send, at any depth. */
function sendingSteps(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(sendingSteps)
  if (typeof value !== 'object' || value === null) return []
  const { id, type, ...rest } = value as { id?: string; type?: string }
  if (type === 'inbox' || type === 'email') return [id ?? '']
  return Object.values(rest).flatMap(sendingSteps)
}

/** @returns The texts of an answer, which have no unfilled place. */
const textsOf = (answer: object): string =>
  ['title', 'body', 'subject', 'preheader', 'text'].map((name) => Reflect.get(answer, name) ?? '').join('\n')

describe.each(DRAFTS)('%s', (_, { text, definition, sample }) => {
  const user = { id: 'u_ada', ...SAMPLE_USER }
  const event = { name: definition.trigger.event, properties: sample, userId: user.id }

  test('is accepted without a warning, and dry run and previews in both languages have no doubt', async () => {
    expect(text).toMatch(/^[A-Z].*\.$/)
    const draft = { ...definition, key: `${definition.key}-draft` }
    const created = await call<{ id: string; warnings: unknown[] }>('POST', '/v1/campaigns', draft)
    expect(created).toMatchObject({ status: 201, body: { warnings: [] } })
    const path = `/v1/campaigns/${created.body.id}`

    const run = await call<{ doubts?: object[] }>('POST', `${path}/dry-run?doubts=true`, { event, user })
    expect(run.body).toMatchObject({ matched: true })
    expect(run.body.doubts).toBeUndefined()

    for (const [locale, stepId] of sendingSteps(definition.steps).flatMap((id) => [
      ['en', id],
      ['de', id],
    ])) {
      const body = { stepId, event, user: { ...user, locale } }
      const preview = await call<{ doubts?: object[]; warnings?: object[] }>(
        'POST',
        `${path}/preview?doubts=true`,
        body,
      )
      expect(preview.status).toBe(200)
      expect([stepId, locale, preview.body.doubts, preview.body.warnings ?? []]).toEqual([
        stepId,
        locale,
        undefined,
        [],
      ])
      expect(textsOf(preview.body)).not.toMatch(/\{\{|undefined|null|NaN/)
    }
  })
})

test('the two languages of each text differ', async () => {
  for (const { definition } of GALLERY) expect(JSON.stringify(definition.steps)).toContain('"de":')
  expect(new Set(GALLERY.map(({ definition }) => definition.key)).size).toBe(10)
})
